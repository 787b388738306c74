"""A certificate of one's own that is not of today is said at once, not found out by the tablets."""

import asyncio
import ssl
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from controller.catalogue import sentence
from controller.service.certificate import is_out_of_date
from controller.service.running import CannotStart, running
from controller.service.settings import Settings, Web


def openssl(folder: Path, *words: str) -> None:
    """Runs it in `folder`."""
    subprocess.run(["openssl", *words], cwd=folder, capture_output=True, timeout=60, check=True)


def signed(folder: Path, days: int, *, by_another: bool = False) -> tuple[str, str]:
    """A certificate that is good for so many days from now, signed by itself or by another; and its key."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl(folder, "req", "-x509", *curve, "-subj", "/CN=root", "-keyout", "root.key", "-out", "root.crt")
    openssl(folder, "req", "-new", *curve, "-subj", "/CN=table.local", "-keyout", "table.key", "-out", "table.csr")
    signer = ("-CA", "root.crt", "-CAkey", "root.key", "-CAcreateserial") if by_another else ("-signkey", "table.key")
    openssl(folder, "x509", "-req", "-in", "table.csr", *signer, "-days", str(days), "-out", "table.crt")
    return str(folder / "table.crt"), str(folder / "table.key")


@pytest.mark.parametrize("by_another", [False, True])
def test_one_that_has_run_out_is_told_from_a_good_one(tmp_path: Path, *, by_another: bool) -> None:
    told: list[bool] = []
    for days in (2, -1):
        certificate, key = signed(tmp_path, days, by_another=by_another)
        served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        served.load_cert_chain(certificate, key)
        told.append(is_out_of_date(served, certificate))
    assert told == [False, True]


async def test_the_table_opens_with_it_and_says_so(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    for days in (2, -1):
        certificate, key = await asyncio.to_thread(signed, tmp_path, days)
        web = Web(port=0, certificate=certificate, key=key)
        async with running(replace(chosen, web=web), pages=pages) as service:
            codes = [note.code for note in service.notes()]
            assert ("service.certificate_dated" in codes) is (days < 0)
    assert certificate in sentence("service.certificate_dated", "ru", file=certificate)


async def test_a_key_that_is_not_there_is_the_file_that_is_named(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    certificate, _ = await asyncio.to_thread(signed, tmp_path, 2)
    web = Web(port=0, certificate=certificate, key=str(tmp_path / "nowhere.key"))
    with pytest.raises(CannotStart, match=r"nowhere\.key"):
        async with running(replace(chosen, web=web), pages=pages):
            pass
