"""What is listed for named files in a folder that may hold more than their site (site/_checking.py)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site

SITES = Path(__file__).resolve().parents[2] / "fixtures" / "sites"


def options_of(*files: str, **more: object) -> CheckOptions:
    return CheckOptions(files=files, jobs=1, **more)  # type: ignore[arg-type]


def unsuggested(context: Site) -> list[Finding]:
    """What is found, without what is suggested, which may be in a folder that nothing leads to."""
    found = CheckRun().check(context).result.findings
    return [finding._replace(suggestion=None, sure=False, cause="", message="") for finding in found]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a site in it, and with much else."""
    for folder in ("site/guide/deep", "site/css", "site/images", "other/a/b", "music/x"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "index.html").write_text("<p id=here>")
    page = (
        '<link rel=stylesheet href="../css/x.css"><a href="deep/#here">1</a><a href="Deep/">2</a><a href="deep/x">3</a>'
    )
    (tmp_path / "site/guide/page.html").write_text(page)
    (tmp_path / "site/css/x.css").write_text("@import '../images/not-read.css';")
    return tmp_path


def test_only_the_folders_that_are_needed_are_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()
    scan = os.scandir

    def noted(path: str) -> os._ScandirIterator[str]:  # type: ignore[name-defined]
        read.add(Path(path).relative_to(home).as_posix())
        return scan(path)

    monkeypatch.setattr(os, "scandir", noted)
    context = Site.of_named(home, options_of("site/guide/page.html"))
    found = [(finding.reference, finding.code) for finding in CheckRun().check(context).result.findings]
    assert found == [("Deep/", "case-mismatch"), ("deep/x", "missing-file")]
    assert read == {".", "site", "site/guide", "site/guide/deep", "site/css"}
    assert context.files.unlisted == {"other", "music", "site/images"}


@pytest.mark.parametrize(
    ("files", "page"),
    [
        ({"_redirects": "/old/* /other/a/:splat 301"}, "/old/gone.html"),
        ({"_redirects": "/old /music/none.html 301"}, "/old"),
        ({"other/.htaccess": "Redirect /other/a /music/x"}, "/other/a/none.html"),
        ({"to.html": "<meta http-equiv=refresh content='0; url=other/a/'><script>location.hash</script>"}, "to.html#x"),
        ({"to.html": "<meta http-equiv=refresh content='0; url=other/none/'>"}, "to.html"),
    ],
)
def test_where_redirections_lead_is_listed(home: Path, files: dict[str, str], page: str) -> None:
    for name, content in files.items():
        (home / name).write_text(content)
    (home / "page.html").write_text(f'<a href="{page}">')
    options = options_of("page.html", "to.html")
    whole = unsuggested(Site.of(home, options))
    assert len(whole) > 0
    assert unsuggested(Site.of_named(home, options)) == whole


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a right there")
def test_folders_are_found_through_links(home: Path) -> None:
    (home / "site/guide/link").symlink_to("../../other")
    (home / "site/guide/page.html").write_text('<a href="link/a/b/">1</a><a href="link/a/c/">2</a>')
    (finding,) = CheckRun().check(Site.of_named(home, options_of("site/guide/page.html"))).result.findings
    assert finding.reference == "link/a/c/"


def test_a_check_of_the_whole_site_and_a_folder_for_the_root_need_all(home: Path) -> None:
    for more in ({"checks": frozenset({"orphans"})}, {"root_dir": "other"}):
        assert Site.of_named(home, options_of("site/guide/page.html", **more)).files.unlisted == frozenset()


def test_the_findings_are_those_of_the_whole_folder() -> None:
    for site in sorted(path for path in SITES.iterdir() if path.is_dir()):
        whole = Site.of(site, CheckOptions())
        options = options_of(*whole.scope.documents[:2])
        narrow = Site.of_named(site, options)
        assert unsuggested(narrow) == unsuggested(Site.of(site, options)), site.name
