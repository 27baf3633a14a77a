"""The one writer: a thread with a queue. What waited together is committed together, in order."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from companion.store.errors import Closed, NotWritten, StoreError
from companion.store.events import Work

T = TypeVar("T")
BATCH: Final = 64


@dataclass(frozen=True)
class _Job:
    work: Work[Any]
    future: Future[Any]


class Writer:
    """Runs works one after the other on one connection; a future is done when its work is on disk."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work[T]) -> Future[T]:
        """Queue a work. It may be run twice (the first run rolled back): it touches the database alone."""
        future: Future[T] = Future()
        with self._gate:
            if not self._open:
                raise Closed("the store was closed; nothing was written")
            self._jobs.put(_Job(work, future))
        return future

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._gate:
            if self._open:
                self._open = False
                self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (batch := self._next_batch()) is not None:
            jobs = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if len(jobs) < 2 or not self._together(jobs):
                for job in jobs:
                    self._alone(job)

    def _next_batch(self) -> list[_Job] | None:
        first = self._jobs.get()
        if first is None:
            return None
        batch = [first]
        while len(batch) < BATCH:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                self._jobs.put(None)
                break
            batch.append(job)
        return batch

    def _together(self, jobs: list[_Job]) -> bool:
        """Try all works in one transaction; if one fails nothing is written and each is tried alone."""
        try:
            results = self._commit([job.work for job in jobs])
        except Exception:  # noqa: BLE001 - not lost: each work runs again alone and reports its own error
            return False
        for job, result in zip(jobs, results, strict=True):
            job.future.set_result(result)
        return True

    def _alone(self, job: _Job) -> None:
        try:
            results = self._commit([job.work])
        except (SQLAlchemyError, OSError) as error:
            cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            problem = NotWritten(f"the database refused ({cause}); read the game again before going on")
            problem.__cause__ = error
            job.future.set_exception(problem)
        except StoreError as error:
            job.future.set_exception(error)
        except Exception as error:  # noqa: BLE001 - the edge of the thread: the caller gets the error
            job.future.set_exception(error)
        else:
            job.future.set_result(results[0])

    def _commit(self, works: list[Work[Any]]) -> list[Any]:
        with self._engine.begin() as connection:
            return [work(connection) for work in works]
