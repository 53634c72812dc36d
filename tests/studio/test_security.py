"""Who is let in, what they may reach, and what text can do."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from hornbeam.errors import UsageError
from hornbeam.studio.app import create_app
from hornbeam.studio.security import HEADERS, LARGEST_BODY, Keys
from hornbeam.studio.sessions import Sessions
from hornbeam.studio.workplace import NotFound, Workplace
from tests.studio.conftest import BASE, TOKEN, Visitor, visitor_of


@pytest.fixture
def stranger(made: Path) -> TestClient:
    return TestClient(create_app([made], token=TOKEN), base_url=BASE)


# The door -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["/", "/d/pictures", "/jobs", "/health", "/make", "/?token=another"])
def test_without_the_token_nothing_is_shown(stranger: TestClient, url: str) -> None:
    answer = stranger.get(url)
    assert answer.status_code == 403
    assert "token" in answer.text and "pictures" not in answer.text and TOKEN not in answer.text


def test_the_token_is_in_the_address_once_and_then_a_cookie(stranger: TestClient) -> None:
    answer = stranger.get(f"/d/pictures?token={TOKEN}&split=test", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/d/pictures?split=test")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert TOKEN not in answer.headers["set-cookie"]
    assert stranger.get("/").status_code == 200


def test_a_redirect_never_leads_to_another_host(stranger: TestClient) -> None:
    answer = stranger.get(f"//evil.example/?token={TOKEN}", follow_redirects=False)
    assert not answer.headers.get("location", "/").startswith("//")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8765", "evil.example:8765", "0.0.0.0:8765", ""]
)
def test_a_name_that_was_rebound_to_this_machine_is_refused(stranger: TestClient, host: str) -> None:
    assert stranger.get(f"/?token={TOKEN}", headers={"host": host}).status_code == 403
    assert stranger.get("/static/studio.css", headers={"host": host}).status_code == 403


def test_localhost_is_this_machine(stranger: TestClient) -> None:
    assert (
        stranger.get(f"/?token={TOKEN}", headers={"host": "localhost:8765"}, follow_redirects=False).status_code == 303
    )


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8765"])
def test_a_request_of_another_origin_is_refused(visitor: Visitor, origin: str) -> None:
    assert visitor.get("/", headers={"origin": origin}).status_code == 403
    fields = {"form_token": visitor.form_token, "theme": "dark"}
    assert visitor.client.post("/theme", data=fields, headers={"origin": origin}).status_code == 403


def test_a_form_of_another_site_is_refused(visitor: Visitor) -> None:
    fields = {"form_token": visitor.form_token, "theme": "dark"}
    assert visitor.client.post("/theme", data=fields, headers={"sec-fetch-site": "same-site"}).status_code == 403


@pytest.mark.parametrize("given", ["", "0" * 64, "ä"])
def test_a_form_without_its_own_token_does_nothing(writer: Visitor, given: str) -> None:
    fields = {"form_token": given, "out": "new", "seed": "0", "workers": "1"}
    assert writer.client.post("/make/star/rcc8-small", data=fields).status_code == 403
    assert writer.studio.jobs.all() == []


def test_a_script_of_the_studio_may_send_the_token_in_a_header(visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/theme", data={"theme": "dark"}, headers={"x-form-token": visitor.form_token}, follow_redirects=False
    )
    assert answer.status_code == 303


def test_the_form_token_of_another_visitor_does_not_fit(made: Path) -> None:
    application = create_app([made], token=TOKEN)
    one, other = (visitor_of(TestClient(application, base_url=BASE)) for _ in range(2))
    assert one.form_token != other.form_token
    assert one.client.post("/theme", data={"form_token": other.form_token}).status_code == 403


def test_a_forged_cookie_is_no_session(stranger: TestClient) -> None:
    name = Keys(TOKEN).cookie_name
    for value in ("0" * 32, f"{'0' * 32}.{'0' * 64}", Keys("another").cookie("0" * 32), "…", ""):
        stranger.cookies.clear()
        headers = {"cookie": f"{name}={value}".encode()}
        assert stranger.get("/", headers=headers).status_code == 403  # type: ignore[arg-type]


def test_a_form_that_is_too_large_is_refused(visitor: Visitor) -> None:
    answer = visitor.post("/theme", theme="x" * (LARGEST_BODY + 1))
    assert answer.status_code == 413


def test_every_answer_forbids_inline_scripts_and_other_hosts(visitor: Visitor) -> None:
    for url in ("/", "/nothing", "/static/studio.css", "/d/pictures", "/jobs/none"):
        answer = visitor.get(url)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["content-security-policy"] and "http" not in HEADERS["content-security-policy"]


def test_an_unexpected_error_is_a_page_with_the_same_headers(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    application = create_app([made], token=TOKEN)

    def broken(request: Request) -> Any:
        raise RuntimeError("<b>broken</b>")

    application.router.routes.append(Route("/broken", broken))
    visitor = visitor_of(TestClient(application, base_url=BASE))
    answer = visitor.get("/broken")
    assert answer.status_code == 500 and "&lt;b&gt;broken" in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert "RuntimeError" in capsys.readouterr().err


# More visitors than there is room for --------------------------------------------------------------------------------


def test_the_visitor_beyond_the_limit_gets_a_message(made: Path) -> None:
    application = create_app([made], token=TOKEN, sessions=Sessions(limit=2))
    visitors = [visitor_of(TestClient(application, base_url=BASE)) for _ in range(2)]
    late = TestClient(application, base_url=BASE)
    answer = late.get(f"/?token={TOKEN}")
    assert answer.status_code == 503 and "2 visitors" in answer.text
    assert visitors[0].post("/end").status_code == 200
    assert late.get("/").status_code == 200


# Paths ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", [
    "/d/%2e%2e", "/d/..%2f..%2fetc", "/d/pictures%2f..", "/d/pictures/s/..%2f..%2fmanifest.json/picture.png",
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/d/pictures/s/nobody", "/d/nothing/learn",
])  # fmt: skip
def test_a_path_that_leads_elsewhere_is_not_found(visitor: Visitor, url: str) -> None:
    answer = visitor.get(url)
    assert answer.status_code == 404
    assert "root:" not in answer.text and "create_app" not in answer.text


def test_paths_that_are_typed_stay_below_the_folders(made: Path, tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
    (outside / "secret.csv").write_text("x")
    (root / "link").symlink_to(outside)
    workplace = Workplace([root])
    for text in ("../outside/secret.csv", str(outside), "/etc/passwd", "link/secret.csv", "link", "", ".", "a\0b", "~"):
        if text == "~":  # a folder of that name, not a home
            assert workplace.inside(text) == root / "~"
            continue
        with pytest.raises(UsageError):
            workplace.inside(text)
    assert workplace.inside("new/place") == root / "new" / "place"


def test_links_are_not_followed(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "linked").symlink_to(made / "pictures")
    (root / "rule.pl").symlink_to(made / "theories" / "blue.pl")
    workplace = Workplace([root])
    assert workplace.walk().places == ()
    with pytest.raises(NotFound):
        workplace.dataset("linked")


def test_a_new_dataset_replaces_nothing(writer: Visitor) -> None:
    for out in ("pictures", "pictures/inner", "../elsewhere", ".hidden", "theories/blue.pl/x"):
        answer = writer.post("/make/star/rcc8-small", out=out, seed="0", workers="1")
        assert answer.status_code == 400 and 'role="alert"' in answer.text, out
    assert writer.studio.jobs.all() == []


def test_import_reads_only_below_the_folders(writer: Visitor) -> None:
    answer = writer.post("/import", family="clutrr", files="/etc/passwd", out="new")
    assert answer.status_code == 400 and "not below the folders" in answer.text


# Text -----------------------------------------------------------------------------------------------------------------

EVIL = "<s>&'ab>"  # as long as the name of the task that it replaces
SCRIPT = "<script>document.title='owned'</script>"


@pytest.fixture
def hostile(dataset_folder: Path, tmp_path: Path) -> Path:
    """A dataset, a folder, a theory and a run whose names and texts are markup."""
    root = tmp_path / "root"
    folder = root / "<img src=x onerror=alert(1)>"
    shutil.copytree(dataset_folder, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["counts"]["tasks"] = {EVIL: manifest["counts"]["tasks"].pop("ancestor")}
    manifest["preset"] = SCRIPT
    (folder / "manifest.json").write_text(json.dumps(manifest))
    lines = (folder / "samples.jsonl").read_text().replace('"task":"ancestor"', f'"task":"{EVIL}"')
    (folder / "samples.jsonl").write_text(lines)
    (root / f"{SCRIPT.replace('/', '_')}.pl").write_text(f"% learner: {SCRIPT}\n% verdict: {SCRIPT}\n\np(a).\n")
    run = root / "run"
    run.mkdir()
    summary = {"model": SCRIPT, "setting": SCRIPT, "seeds": [0], "accuracy": {"mean": 0.5, "std": 0}}
    (run / "summary.json").write_text(json.dumps(summary))
    return root


def test_text_from_files_and_addresses_is_never_markup(hostile: Path) -> None:
    with TestClient(create_app([hostile], token=TOKEN), base_url=BASE) as client:
        visitor = visitor_of(client)
        walk = visitor.studio.workplace.walk()
        (place,) = walk.of("dataset")
        sample = visitor.studio.workplace.dataset(place.name).samples[0]
        pages = [
            "/", f"/d/{place.name}", f"/d/{place.name}?q={SCRIPT}&task={SCRIPT}&g.x={SCRIPT}&near=1",
            f"/d/{place.name}/s/{sample.id}?q={SCRIPT}", f"/d/{place.name}/s/{sample.id}?theory={SCRIPT}",
            f"/d/{SCRIPT}", f"/jobs/{SCRIPT}", f"/make/star/{SCRIPT}", f"/make/{SCRIPT}/x",
            f"/make/star/rcc8-small?out={SCRIPT}&set.calculus={SCRIPT}",
        ]  # fmt: skip
        pages += [f"/{kind[0]}/{place.name}" for kind in ("theory", "run") for place in walk.of(kind)]
        assert len(pages) == 12
        for url in pages:
            answer = visitor.get(url)
            assert SCRIPT not in answer.text and "<img src=x" not in answer.text and EVIL not in answer.text, url
            assert answer.status_code in (200, 400, 404), (url, answer.text)
            assert not re.search(r"<[^>]*\son\w+=", answer.text), url
        assert "&lt;img src=x onerror" in visitor.get("/").text  # it can still be read


def test_the_pages_load_nothing_from_elsewhere(visitor: Visitor) -> None:
    for url in ("/", "/make", "/d/pictures", "/d/pictures/s/t00_red_train_0000"):
        text = visitor.get(url).text
        for address in re.findall(r'(?:src|href|action|hx-get)="([^"]+)"', text):
            assert address.startswith(("/", "#")), (url, address)
        assert "<style" not in text and " style=" not in text and not re.search(r"<script(?! src=)", text)


def test_a_damaged_dataset_is_a_line_of_the_list(workplace: Path) -> None:
    (workplace / "pictures" / "manifest.json").write_text("{")
    with TestClient(create_app([workplace], token=TOKEN), base_url=BASE) as client:
        visitor = visitor_of(client)
        assert "generate the dataset again" in visitor.get("/").text
        assert visitor.get("/d/pictures").status_code == 400


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_may_not_be_read_is_skipped(workplace: Path) -> None:
    (workplace / "nested").chmod(0)
    try:
        names = [place.name for place in Workplace([workplace]).walk().of("dataset")]
    finally:
        (workplace / "nested").chmod(0o755)
    assert names == ["pictures"]
