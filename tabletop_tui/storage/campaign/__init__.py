"""A campaign is a folder: its files read, compared with the table, and written."""

from .folder import FOLDERS, MAIN, NOW, Campaign, CampaignFile, file_of, load, players_in

__all__ = ["FOLDERS", "MAIN", "NOW", "Campaign", "CampaignFile", "file_of", "load", "players_in"]
