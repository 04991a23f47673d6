"""Records of a session: its story, the same in short, its counters over time, and who rolled how well.

`record.record` makes a record of a timeline; `markdown.markdown`, `page.page`, `data.as_json` and `data.as_csv`
write it. `logs` alone touches files: `logs.record_of` a log, and `logs.last_time` of a campaign. Only `series` is
imported here, because the play screen draws it and should not load the rest.
"""

from .counters import Series, series

__all__ = ["Series", "series"]
