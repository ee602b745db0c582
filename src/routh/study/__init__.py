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
| `changes.py`, `side_by_side.py`, `threads.py` | many runs of a small model in compiled calls, in threads |
| `measured.py`, `residuals.py` | measured motions, and what computed ones differ from them by, with derivatives |
| `identify.py`, `fit.py`, `law_comparison.py` | parameters that explain measured motions; which law predicts best |
"""

from routh.study.distributions import LogNormal, Normal, Uniform
from routh.study.fit import Fit
from routh.study.impact_case import ImpactCase
from routh.study.law_comparison import LawComparison, compare_laws
from routh.study.measured import Measured, read_measured
from routh.study.study import Study, read_study
from routh.study.table import StudyTable, read_table

__all__ = ["Fit", "ImpactCase", "LawComparison", "LogNormal", "Measured", "Normal", "Study", "StudyTable", "Uniform",
           "compare_laws", "read_measured", "read_study", "read_table"]


def __dir__() -> list[str]:
    return sorted(__all__)
