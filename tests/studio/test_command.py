"""The command `hornbeam studio`: its address, its port, its end."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import httpx
import psutil
import pytest

from hornbeam.cli import run
from hornbeam.cli.studio import _listening
from tests.studio.browser import running


def test_ctrl_c_ends_the_studio_and_its_jobs(tmp_path: Path) -> None:
    """In the midst of generating: the exit code is 0, no process is left, and nothing half-written."""
    with running([tmp_path]) as studio, httpx.Client(base_url=studio.root, follow_redirects=True, timeout=60) as client:
        home = client.get(studio.url)
        token = re.search(r'name="form_token" value="(\w+)"', home.text)
        assert token is not None and str(home.url) == f"{studio.root}/"
        form = {"form_token": token[1], "out": "never", "seed": "0", "workers": "1"}
        job = client.post("/make/star/rcc8", data=form)
        assert "/jobs/" in str(job.url) and job.status_code == 200
        process = psutil.Process(studio.process.pid)
        assert {one.laddr.ip for one in process.net_connections() if one.status == "LISTEN"} == {"127.0.0.1"}
        children = process.children(recursive=True)
        assert children
        code, said = studio.interrupt()
        assert code == 0 and said.strip() in ("", "Ctrl-C ends it.")
        assert not [one for one in children if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
        assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_and_a_folder_that_is_not_there_are_usage_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, said in (([str(tmp_path), "--port", port], "port"), ([str(tmp_path / "no")], "no such folder")):
            assert run(["studio", *arguments, "--no-browser"]) == 2
            assert said in capsys.readouterr().err


def test_answers_are_sent_at_once() -> None:
    """Else the body of each answer waits 40 ms for the acknowledgement of its head."""

    async def nodelay() -> bool:
        sent: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            told = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            sent.set_result(told != 0)
            writer.close()

        with _listening(0) as listener:
            server = await asyncio.start_server(accepted, sock=listener)
            async with server:
                _, writer = await asyncio.open_connection(*listener.getsockname())
                try:
                    return await sent
                finally:
                    writer.close()

    assert asyncio.run(nodelay())


@pytest.mark.slow
def test_the_first_screen_needs_no_torch(made: Path) -> None:
    with running([made]) as studio, httpx.Client(base_url=studio.root, follow_redirects=True, timeout=60) as client:
        assert client.get(studio.url).status_code == 200
        maps = Path(f"/proc/{studio.process.pid}/maps")
        if maps.is_file():
            assert "libtorch" not in maps.read_text()
