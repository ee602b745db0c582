"""Studies: one model, or one impact, at many values of its parameters.

| file | concept |
|---|---|
| `distributions.py` | Uniform, Normal, LogNormal: what a parameter is drawn from |
| `design.py` | the points of a study: a grid of lists, times samples of distributions |
| `quantities.py` | what is recorded of a run: expressions over channels and ledgers, or functions |
| `impact_case.py` | an impact with parameters of its own, for studies without motion |
| `points.py` | the work at one stretch of points: the same in every process |
| `backends.py` | where the work is done: here, in a pool of processes, on a Dask cluster |
| `identity.py` | the digest that says whether two studies are the same |
| `store.py` | the folder of Parquet files that a study can resume from |
| `table.py` | the result: one row per point, with its views and plots |
| `study.py` | `Study`, which puts them together |
"""

from routh.study.distributions import LogNormal, Normal, Uniform
from routh.study.impact_case import ImpactCase
from routh.study.study import Study, read_study
from routh.study.table import StudyTable, read_table

__all__ = ["ImpactCase", "LogNormal", "Normal", "Study", "StudyTable", "Uniform", "read_study", "read_table"]


def __dir__() -> list[str]:
    return sorted(__all__)
