"""Last time: a session in short, for the GM and without secrets for players; and two tables compared in words."""

from __future__ import annotations

from pathlib import Path

import playing

from tabletop_tui.kit.common import Note
from tabletop_tui.records.logs import last_time
from tabletop_tui.records.luck import Roll
from tabletop_tui.records.recap import MOST_LINES, Recap, _for_gm, recap
from tabletop_tui.records.standing import compared, standing
from tabletop_tui.session import Change, Table, Timeline
from tabletop_tui.storage.log import LogFile
from tabletop_tui.storage.open_campaign import OpenCampaign


def lines(told: Recap) -> list[str]:
    return [line for part in told.parts for line in part.lines]


def sample(name: str) -> Timeline:
    (path,) = (playing.samples(name)[0] / "played").glob("*.jsonl")
    file = LogFile(path, None, write=False)
    line = Timeline(file.codec.engine, file.header)
    line.extend(file.entries)
    return line


# ---- what is told


def test_outcomes_stand_under_their_scenes() -> None:
    told = recap(sample("tiers"))
    assert [part.title for part in told.passages] == ["The gate at Lynn", "The bridge", "The ash hollow"]
    assert "Hold the gate: SUCCESS (margin 10)" in told.passages[0].lines
    assert "Sing the ogre to sleep: SUCCESS (margin 5)" in told.passages[1].lines


def test_a_fight_is_told_by_its_end_and_not_blow_by_blow() -> None:
    told = recap(sample("no1"))
    fights = [line for line in lines(told) if line.startswith("A fight")]
    assert fights[0].startswith("A fight of 2 rounds; out: Ash runner 1, Ash runner 2")
    assert not any("hits, no 1" in line for line in lines(told))


def test_a_contest_of_fen_is_told_by_its_title_and_what_was_at_stake() -> None:
    table = playing.table(playing.samples("fen")[0])
    playing.act(table, "scene scene=the-toll-house")
    playing.act(table, "open contest=the-toll-house/ledger")
    playing.act(table, "roll_contest")
    (line,) = recap(table.timeline).passages[0].lines
    assert line.startswith("Whose oil is that?: Teal ")
    assert line.endswith((": beaten. Won: he opens the ledger", ": holds. Lost: a night outside, without a roof"))


def test_what_went_against_the_odds_is_told_with_its_chance() -> None:
    turning = recap(sample("fen")).turning
    assert turning[0] == "Sedge, attack: dodged, against a chance of 94 %"


def test_the_least_likely_comes_first_and_what_was_sure_is_not_told(table: Table) -> None:
    def roll(chance: float, hoped: bool) -> Roll:
        return Roll(1, "Rook", "attack", f"{chance}", chance, hoped, 0.5)

    rolls = [roll(0.9, True), roll(0.2, True), roll(0.99, False), roll(0.5, False), roll(0.2, False)]
    told = recap(table.timeline, rolls=rolls).turning
    assert told == (
        "Rook, attack: 0.99, against a chance of 99 %",
        "Rook, attack: 0.2, with a chance of 20 %",
    )


def test_clocks_and_what_lasts_stand_at_the_end(table: Table) -> None:
    hero = table.world.players()[0]
    playing.act(table, "add_clock", name="The pass closes", size="6")
    clock = next(reversed(table.world.now.clocks))
    playing.act(table, f"tick clock={clock}")
    playing.act(table, f"condition who={hero}", what="soaked")
    told = recap(table.timeline)
    assert "The pass closes 1 of 6" in told.counters
    playing.act(table, "add_clock", name="The spy", size="4", secret="true")
    assert "~ The spy 0 of 4" in recap(table.timeline).counters
    assert not any("The spy" in words for words in recap(table.timeline, players=True).counters)
    assert any(line.startswith(table.world.name(hero)) and "soaked" in line for line in told.lasting)


def test_where_it_stands_is_told_in_sentences(table: Table) -> None:
    scene = next(iter(table.world.scenes))
    playing.act(table, f"scene scene={scene}")
    playing.act(table, "begin who=rook,mira")
    up = next(p.name for p in playing.sure(standing(table.engine, table.world).table).people if p.current)
    assert recap(table.timeline).now == f"{table.world.scenes[scene].title}. Round 1. {up} is up"


def test_what_was_undone_did_not_happen(table: Table) -> None:
    scene = next(iter(table.world.scenes))
    playing.act(table, f"scene scene={scene}")
    table.undo()
    assert recap(table.timeline).passages == ()


def test_a_long_scene_is_cut_and_the_rest_counted(table: Table) -> None:
    for number in range(MOST_LINES + 5):
        table.name(f"moment {number}")
    (told,) = recap(table.timeline).passages
    assert len(told.lines) == MOST_LINES
    assert told.lines[-1] == "and 6 things more"


# ---- for players


def test_players_are_told_nothing_of_secret_clocks_moments_and_unseen_people(table: Table) -> None:
    playing.act(table, "add_clock", name="The traitor acts", secret="yes")
    table.name("the secret door")
    gm, players = recap(table.timeline), recap(table.timeline, players=True)
    assert any("traitor" in line for line in lines(gm))
    assert any("secret door" in line for line in lines(gm))
    assert not any("traitor" in line or "secret door" in line for line in lines(players))


def test_two_sessions_that_differ_in_secrets_alone_are_the_same_to_players(session: Table) -> None:
    before = recap(session.timeline, players=True)
    session.do(Note("the abbot did it", secret=True))
    npc = next(who for who, sheet in session.world.sheets.items() if not sheet.player)
    session.edited([Change(("sheets", npc, "about"), session.world.sheets[npc].about or None, "is the traitor")])
    assert recap(session.timeline, players=True) == before


def test_every_game_can_be_told_in_short_after_any_play(session: Table) -> None:
    for players in (False, True):
        told = recap(session.timeline, players=players)
        assert told.session == session.header.session
        assert all(line.strip() for line in lines(told))


# ---- of a campaign


def test_last_time_is_the_last_session_in_which_anything_happened(root: Path) -> None:
    assert last_time(root) is None
    for number in (1, 2):
        campaign = OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync(), new_session=number > 1)
        campaign.table.name(f"evening {number}")
        campaign.close()
    OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync(), new_session=True).close()
    told = last_time(root)
    assert told is not None
    assert lines(told)[0] == "★ evening 2"


def test_a_log_that_cannot_be_read_gives_nothing_to_tell(root: Path) -> None:
    campaign = OpenCampaign(root, disk=playing.NoSync())
    campaign.table.name("evening")
    path = campaign.log.path
    campaign.close()
    path.write_bytes(b"{nothing")
    assert last_time(root) is None


def test_the_command_tells_it_to_the_gm_and_to_players(root: Path) -> None:
    campaign = OpenCampaign(root, disk=playing.NoSync())
    campaign.table.name("the secret door")
    campaign.close()
    told = playing.command("recap", root)
    assert (told.returncode, "★ the secret door" in told.stdout) == (0, True)
    day = campaign.table.header.session.partition("-")[2]
    assert told.stdout.splitlines()[0].count(day) == 1, "the session's name has it"
    assert "secret door" not in playing.command("recap", root, "--for", "players").stdout


def test_a_campaign_that_was_never_played_has_nothing_to_tell(root: Path) -> None:
    told = playing.command("recap", root)
    assert (told.returncode, "nothing was played yet" in told.stderr) == (1, True)


# ---- compared


def test_a_change_of_a_counter_a_meter_and_a_condition_is_told_in_words(table: Table) -> None:
    before = table.world
    hero = table.world.players()[0]
    playing.act(table, "add_clock", name="The pass closes", size="6")
    playing.act(table, f"condition who={hero}", what="soaked")
    rows = dict(compared(standing(table.engine, before), standing(table.engine, table.world)))
    assert rows["The pass closes"] == "0, new"
    assert "now 'soaked'" in rows[table.world.name(hero)]
    back = dict(compared(standing(table.engine, table.world), standing(table.engine, before)))
    assert "no longer 'soaked'" in back[table.world.name(hero)]


def test_another_lead_and_another_support_of_an_open_challenge_are_told() -> None:
    table = playing.table(playing.samples("tiers")[0])
    playing.act(table, "open", challenge="the-gate/hold")
    playing.act(table, "lead", who="mira", skill="Warding")
    before = standing(table.engine, table.world)
    playing.act(table, "support", who="rook", skill="Warding", how="direct")
    rows = dict(compared(before, standing(table.engine, table.world)))
    assert rows == {"the challenge": "now Rook: direct"}
    playing.act(table, "lead", who="sefa", skill="Climbing")
    rows = dict(compared(before, standing(table.engine, table.world)))
    assert rows["the challenge's Lead"].startswith("Mira")
    assert "→ Sefa" in rows["the challenge's Lead"]


def test_what_somebody_puts_into_an_open_contest_is_told() -> None:
    table = playing.table(playing.samples("drama")[0])
    prepared = playing.sure(standing(table.engine, table.world).contest).open
    table.do(prepared[0].action)
    before = standing(table.engine, table.world)
    who = playing.sure(before.contest).parties[0]
    playing.act(table, "argue", party=who.id, using="Latin")
    rows = dict(compared(before, standing(table.engine, table.world)))
    assert "now Social 2 + Latin 3 (5 base)" in rows[who.name]


def test_the_same_table_has_nothing_to_compare(session: Table) -> None:
    here = standing(session.engine, session.world)
    assert compared(here, here) == []


def test_no_comparison_shows_a_field_of_the_engine(session: Table) -> None:
    line = session.timeline
    for seq in range(0, line.last, 7):
        for what, words in compared(standing(line.engine, line.worlds[0]), standing(line.engine, line.worlds[seq])):
            assert not any(sign in f"{what} {words}" for sign in ("{", "}", "_", "None", "True", "False")), words


def test_hp_lost_and_somebody_out_are_told(tmp_path: Path) -> None:
    table = playing.table(playing.samples("tiers")[0])
    before = standing(table.engine, table.world)
    playing.act(table, "hurt who=rook points=7")
    assert ("Rook", "80 → 73 HP") in compared(before, standing(table.engine, table.world))
    playing.act(table, "hurt who=rook points=500")
    assert ("Rook", "is out; 80 → 0 HP") in compared(before, standing(table.engine, table.world))


def test_a_gm_reads_a_result_once_and_all_that_players_read_of_others() -> None:
    said = ("Read the captain: success", "notice/articulate: Sedge 22; Reeve Oswin rolls unseen: beaten")
    whispered = ("Read the captain: success (margin 1)", "Reeve Oswin 4 = 4")
    assert _for_gm(said, whispered) == [said[1], *whispered]
