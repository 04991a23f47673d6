"""Records of a session: its story, its counters over time, and who rolled how well. Pure: no file is touched.

`record.record` makes a record of a timeline; `markdown.markdown`, `page.page`, `data.as_json` and `data.as_csv`
write it. Only `series` is imported here, because the play screen draws it and should not load the rest.
"""

from .counters import Series, series

__all__ = ["Series", "series"]
