"""Hostile archives: nothing is written or read outside the temporary folder, and bombs do not go off."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import stat
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.data.archives import ArchiveLimits, is_archive, unpacked
from hornbeam.errors import UsageError
from tests.hostile.canaries import Canaries

Packed = tuple[str, bytes]
GOOD: Packed = ("suite/good.txt", b"good")
NAMES = (
    "../escaped", "a/../../escaped", "/@MARK@", "//@MARK@", "..", "a/..", "..\\escaped", "C:\\escaped", "C:/escaped",
    "\\\\host\\share", "a\nb", "a\x1b[2Jb", "a\u202eb", "x" * 300, "y/" * 60 + "z", ("w" * 200 + "/") * 6 + "w",
)  # fmt: skip


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, to see what is left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def zipped(file: Path, *members: Packed) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file


def tarred(file: Path, *members: Packed | tarfile.TarInfo) -> Path:
    with tarfile.open(file, "w:gz") as archive:
        for member in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member[0])
            data = b"" if isinstance(member, tarfile.TarInfo) else member[1]
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file


def refused(file: Path, limits: ArchiveLimits | None = None) -> str:
    """What is said of an archive that is refused."""
    with pytest.raises(UsageError) as caught, unpacked([file], limits):
        pass
    assert caught.value.file == str(file)
    return caught.value.message


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_is_unpacked(pack: Callable[..., Path], tmp_path: Path, place: Path) -> None:
    file = pack(tmp_path / "packed", GOOD, ("suite/deep/er/one.txt", b"1"), ("__MACOSX/._x", b"?"))
    assert is_archive(file)
    with unpacked([tmp_path, file]) as (folder, path):
        assert folder == tmp_path
        assert path.name == "suite" and path.is_relative_to(place)
        assert (path / "deep/er/one.txt").read_bytes() == b"1"
    assert not list(place.iterdir())


@pytest.mark.parametrize("open_packed", [gzip.open, bz2.open, lzma.open, open])
def test_tar_in_every_packing(open_packed: Callable[..., io.BytesIO], tmp_path: Path) -> None:
    plain = tmp_path / "plain.tar"
    with tarfile.open(plain, "w") as archive:
        archive.add(__file__, "tests/this.py")
    with open_packed(tmp_path / "packed.tar.x", "wb") as stream:
        stream.write(plain.read_bytes())
    with unpacked([tmp_path / "packed.tar.x"]) as (path,):
        assert (path / "this.py").read_bytes() == Path(__file__).read_bytes()


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("name", NAMES)
def test_names_that_lead_elsewhere(
    name: str, pack: Callable[..., Path], birds: Canaries, tmp_path: Path, place: Path
) -> None:
    named = name.replace("/@MARK@", birds.places("archive")["MARK"])
    file = pack(tmp_path / "packed", GOOD, (named, b"bad"))
    said = refused(file)
    assert "leads out" in said or "too long" in said
    assert "\n" not in said and "\x1b" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside", "packed", "temporary"]
    assert not list(place.iterdir()) and not birds.touched(said)


def links(target: str) -> list[tarfile.TarInfo]:
    members = []
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE):
        member = tarfile.TarInfo("suite/link")
        member.type, member.linkname, member.devmajor, member.devminor = kind, target, 1, 3
        members.append(member)
    return members


def test_links_and_devices(birds: Canaries, tmp_path: Path) -> None:
    for number, member in enumerate(links(str(birds.secret))):
        said = refused(tarred(tmp_path / f"{number}.tgz", GOOD, member, ("suite/link/x", b"through")))
        assert "'suite/link' is a link or a device" in said
    for mode in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK):
        with zipfile.ZipFile(tmp_path / f"{mode}.zip", "w") as archive:
            info = zipfile.ZipInfo("suite/link")
            info.external_attr = (mode | 0o777) << 16
            archive.writestr(info, str(birds.secret))
        assert "'suite/link' is a link or a device" in refused(tmp_path / f"{mode}.zip")
    assert not birds.touched()


def test_a_member_comes_once(tmp_path: Path) -> None:
    for pack in (zipped, tarred):
        with pytest.warns(UserWarning) if pack is zipped else pytest.MonkeyPatch.context():
            file = pack(tmp_path / "twice", GOOD, GOOD)
        assert "twice" in refused(file)
        assert "a file and a folder" in refused(pack(tmp_path / "both", ("a", b""), ("a/b", b"")))
        assert "twice" in refused(pack(tmp_path / "back", ("a/b", b""), ("a", b"")))


# Bombs ----------------------------------------------------------------------------------------------------------------

SMALL = ArchiveLimits(members=50, bytes=50_000_000, ratio=100, spared=1_000_000)
ZEROS = bytes(20_000_000)


def flat_zip(file: Path) -> Path:
    return zipped(file, *((f"{number}", ZEROS[:2_000_000]) for number in range(10)))


def lying_zip(file: Path) -> Path:
    """Says that its member has ten bytes."""
    data = bytearray(zipped(file, ("lies", ZEROS)).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.find(mark) + offset, 10)
    file.write_bytes(data)
    return file


def overlapping_zip(file: Path) -> Path:
    """All entries of its table name the same packed data."""
    data = zipped(file, ("0", ZEROS[:2_000_000])).read_bytes()
    start = data.find(b"PK\x01\x02")
    entry, end = data[start : data.find(b"PK\x05\x06")], data[data.find(b"PK\x05\x06") :]
    entries = b"".join(entry.replace(b"0", bytes([65 + number])) for number in range(20))
    total = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 20, 20, len(entries), start, 0)
    assert len(total) == len(end)
    file.write_bytes(data[:start] + entries + total)
    return file


def tar_bomb(file: Path) -> Path:
    return tarred(file, ("zeros", ZEROS))


def long_name_bomb(file: Path) -> Path:
    """The name of its member has 20 MB, which a reader would hold in memory."""
    return tarred(file, ("n" * 20_000_000, b""))


def sparse_bomb(file: Path) -> Path:
    """Says that its file of no bytes has a terabyte, nearly all of it a hole."""
    member = tarfile.TarInfo("sparse")
    member.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[156:157] = b"S"
    header[386:398], header[398:410] = b"00000000000\0", b"00000000000\0"
    header[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    file.write_bytes(bytes(header) + bytes(1024))
    return file


def many_members(file: Path) -> Path:
    return zipped(file, *((f"{number}", b"") for number in range(51)))


def many_folders(file: Path) -> Path:
    folders = [tarfile.TarInfo(f"{number}/") for number in range(51)]
    for folder in folders:
        folder.type = tarfile.DIRTYPE
    return tarred(file, *folders)


BOMBS = (
    (flat_zip, "100 times"), (lying_zip, "damaged"), (overlapping_zip, "damaged|100 times|Overlapped"),
    (tar_bomb, "100 times"), (long_name_bomb, "100 times"), (sparse_bomb, "link or a device"),
    (many_members, "at most 50 members"), (many_folders, "at most 50 members"),
)  # fmt: skip


@pytest.mark.parametrize(("bomb", "said"), BOMBS, ids=[bomb.__name__ for bomb, _ in BOMBS])
def test_bombs(bomb: Callable[[Path], Path], said: str, tmp_path: Path, place: Path) -> None:
    file = bomb(tmp_path / "bomb")
    message = refused(file, SMALL)
    assert any(words in message for words in said.split("|")), message
    assert not list(place.iterdir())


def test_the_whole_size_is_limited(tmp_path: Path) -> None:
    noise = random.Random(24).randbytes(30_000)
    limits = ArchiveLimits(bytes=50_000)
    assert "'b' makes it larger than 50,000 bytes" in refused(
        zipped(tmp_path / "x", ("a", noise), ("b", noise)), limits
    )


def test_encrypted_and_cut_off(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "x.zip", GOOD).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    (tmp_path / "x.zip").write_bytes(data)
    assert "is encrypted" in refused(tmp_path / "x.zip")
    assert "empty" in refused(zipped(tmp_path / "none.zip"))
    (tmp_path / "one.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert "damaged" in refused(tmp_path / "one.csv.gz")


def test_damaged_archives(tmp_path: Path) -> None:
    """Every damage is refused, or the archive is read; nothing else is raised."""
    rng = random.Random(24)
    sources = [pack(tmp_path / pack.__name__, GOOD, ("suite/x", rng.randbytes(500))) for pack in (zipped, tarred)]
    with tarfile.open(tmp_path / "plain", "w") as archive:
        archive.add(__file__, "tests/this.py")
    outcomes = set()
    for number in range(300):
        data = bytearray([*sources, tmp_path / "plain"][number % 3].read_bytes())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        if number % 5 == 0:
            del data[rng.randrange(len(data)) :]
        file = tmp_path / "damaged"
        file.write_bytes(data)
        if is_archive(file):
            try:
                with unpacked([file]):
                    outcomes.add("read")
            except UsageError:
                outcomes.add("refused")
    assert outcomes == {"read", "refused"}


# At the command -------------------------------------------------------------------------------------------------------


def test_a_packed_folder_is_imported(tmp_path: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same dataset from a folder and from its archive; an error in a member names it."""
    made = hornbeam.generate("star", "rcc8-small", out=tmp_path / "made", seed=3)
    folder = made.path / "data"
    with tarfile.open(tmp_path / "packed.tar.xz", "w:xz") as archive:
        archive.add(folder, "data")
    outs = [tmp_path / name for name in ("from_folder", "from_archive")]
    for source, out in zip((folder, tmp_path / "packed.tar.xz"), outs, strict=True):
        assert run(["import", "star", str(source), "--out", str(out)]) == 0, capsys.readouterr().err
    samples = [(out / "samples.jsonl").read_bytes() for out in outs]
    assert samples[0] == samples[1]
    bad = zipped(tmp_path / "bad.zip", ("suite/train_rcc8.csv", b"no,columns\n"))
    assert run(["import", "star", str(bad), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert f"{bad}/suite/train_rcc8.csv:1: the column" in said
    assert not (tmp_path / "out").exists() and not list(place.iterdir())


def test_a_folder_with_a_link_to_a_secret(birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("rules.txt", "train.txt", "train-cw.txt"):
        (tmp_path / "TASK").mkdir(exist_ok=True)
        (tmp_path / "TASK" / name).symlink_to(birds.secret)
    assert run(["import", "rudas", str(tmp_path / "TASK"), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "a link that leads out of the folder" in said
    assert not birds.touched(said)


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe would be waited for, and a device never ends."""
    folder = tmp_path / "published"
    folder.mkdir()
    os.mkfifo(folder / "train.csv")
    for path in (folder, folder / "train.csv", Path("/dev/zero")):
        assert run(["import", "clutrr", str(path), "--out", str(tmp_path / "out")]) == 2
        assert "expected a file or a folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["{secret}", "../../outside/secrets/secret.pl", "linked.png"])
def test_a_picture_outside_is_not_copied(
    name: str, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "published" / "train"
    folder.mkdir(parents=True)
    (folder / "linked.png").symlink_to(birds.secret)
    symbol = "{'shape': 'triangle', 'color': 'red', 'size': 'large'}"
    row = f'"{name.format(secret=birds.secret)}",0,1,1,"{symbol}"\n'
    (folder / "annotations.csv").write_text(f'"filename","task_id","label","supervised","symbol"\n{row}')
    source = folder / "annotations.csv"
    assert run(["import", "kandy", str(source), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "expected a picture in the folder" in said
    assert not birds.touched(said) and not (tmp_path / "out").exists()
