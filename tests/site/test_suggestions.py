"""What was meant by a reference that leads nowhere (site/_repair/suggestions.py)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from site_parts import files_of

from growth import assert_proportional
from rehref.site._repair import misspelt_names, suggestions
from rehref.site._repair.suggestions import Suggester
from rehref.site._series import edits


def suggester_of(*paths: str, ids: dict[str, list[str]] | None = None, **rules: tuple[str, ...]) -> Suggester:
    found = ids or {}
    folders = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(path.count("/") + 1)}
    return Suggester(files_of(paths, folders), lambda path: found.get(path, []), lambda path: path, **rules)


def of(
    wanted: str, *paths: str, document: str = "page.html", names: int = 2, **rules: tuple[str, ...]
) -> tuple[str, bool] | None:
    """What is suggested for a path, and whether it is sure."""
    found = suggester_of(*paths, document, **rules).for_missing_file(wanted, document, names)
    assert found is None or found.fragment is None
    return None if found is None else (found.path, found.sure)


def of_id(wanted: str, *ids: str) -> tuple[str | None, bool] | None:
    found = suggester_of("a.html", ids={"a.html": list(ids)}).for_missing_fragment("a.html", wanted)
    assert found is None or found.path == "a.html"
    return None if found is None else (found.fragment, found.sure)


# the ways to find a file


@pytest.mark.parametrize(
    ("wanted", "paths", "expected"),
    [
        ("Guide/install.html", ["guide/Install.html"], ("guide/Install.html", True)),
        ("GUIDE/", ["guide/index.html"], ("guide/", True)),
        ("STRASSE/x.html", ["straße/x.html"], ("straße/x.html", True)),
        ("cafe\u0301.html", ["caf\u00e9.html"], ("caf\u00e9.html", True)),
        ("a.HTML", ["A.html", "a.html"], ("A.html", False)),
        ("x.html/", ["x.html"], ("x.html", True)),
    ],
)
def test_spelt_the_same_but_for_case(wanted: str, paths: list[str], expected: tuple[str, bool]) -> None:
    assert of(wanted, *paths) == expected


@pytest.mark.parametrize(
    ("wanted", "paths", "expected"),
    [
        # the ending that a clean URL leaves out
        ("a/install", ["a/install.html"], ("a/install.html", False)),
        ("a/logo", ["a/logo.png"], ("a/logo.png", True)),
        ("a/install", ["a/install.html", "a/install.pdf"], ("a/install.html", False)),
        ("a/jquery-3.6", ["a/jquery-3.6.js"], ("a/jquery-3.6.js", True)),
        ("a/install.htm", ["a/install.html"], ("a/install.html", True)),
        ("a/install.hmtl", ["a/install.html"], ("a/install.html", True)),
        ("a/install.htm", ["a/install.html", "a/install.png"], ("a/install.html", False)),
        ("a/install.png", ["a/install.jpeg"], ("a/install.jpeg", False)),
        ("a/install/", ["a/install.html"], ("a/install.html", False)),
        ("a/install.html", ["a/install/index.html"], ("a/install/", False)),
        # the name has an extension already, or the file is made from another
        ("style.css", ["style.css.map"], ("style.css.map", False)),
        ("app.js", ["app.js.map"], ("app.js.map", False)),
        ("data.json", ["data.json.gz"], ("data.json.gz", False)),
        ("index.php", ["index.php.html"], ("index.php.html", False)),
        ("LICENSE", ["LICENSE.txt"], ("LICENSE.txt", True)),
        ("LICENSE", ["LICENSE.asc"], ("LICENSE.asc", False)),
        ("jquery-3.6", ["jquery-3.6.gz"], ("jquery-3.6.gz", False)),
        # what is an extension is not misspelt
        ("style.css", ["style.scss"], ("style.scss", False)),
        ("sound.mp3", ["sound.mp4"], ("sound.mp4", False)),
        ("fonts.woff", ["fonts.woff2"], ("fonts.woff2", False)),
        ("photo.jpg", ["photo.jpeg"], ("photo.jpeg", True)),
        ("photo.pn", ["photo.png"], ("photo.png", True)),
        ("notes.abx", ["notes.abc", "other.abx"], ("notes.abc", False)),
    ],
)
def test_extensions(wanted: str, paths: list[str], expected: tuple[str, bool]) -> None:
    assert of(wanted, *paths) == expected


@pytest.mark.parametrize(
    ("wanted", "paths", "expected"),
    [
        ("old/b/install.html", ["new/install.html"], ("new/install.html", True)),
        ("install.html", ["a/b/install.html"], ("a/b/install.html", True)),
        ("wrong/css/x.css", ["css/x.css"], ("css/x.css", True)),
        ("old/install.html", ["new/Install.html"], ("new/Install.html", False)),
        ("old/install.html", ["new/install.html", "other/install.html"], ("new/install.html", False)),
        ("old/install.html", ["new/install.pdf"], None),
        ("old/b/guide/", ["new/guide/index.html", "old/x.html"], ("new/guide/", True)),
        ("old/b/guide/", ["new/guide/index.html"], ("new/guide/", False)),
        ("guide/", ["new/guide/index.html"], ("new/guide/", True)),
        ("doc/cargo-doc/guide/index.html", ["doc/html/guide/index.html"], ("doc/html/guide/index.html", False)),
        # without its leading segments it comes before one that is farther, or elsewhere
        ("docs/img/a.png", ["deep/other/a.png", "img/a.png"], ("img/a.png", False)),
        ("docs/img/logo.png", ["img/logo.png"], ("img/logo.png", True)),
        # numbered names
        ("old/b/form_0.png", ["new/form_0.png"], ("new/form_0.png", False)),
        ("docs/img/form_0.png", ["img/form_0.png"], ("img/form_0.png", False)),
        ("docs/img/form_0.png", ["form_0.png"], ("form_0.png", False)),
        ("old/b/part-2/", ["new/part-2/index.html"], ("new/part-2/", False)),
        # two explanations
        ("old/instals.html", ["old/install.html", "new/instals.html"], ("new/instals.html", False)),
    ],
)
def test_the_same_name_elsewhere(wanted: str, paths: list[str], expected: tuple[str, bool]) -> None:
    assert of(wanted, *paths) == expected


def test_of_several_files_the_one_with_the_fragment_is_meant() -> None:
    paths = [f"{folder}/wind.html" for folder in "abcdef"]
    suggester = suggester_of(*paths, ids={"b/wind.html": ["breeze"], "e/wind.html": ["gale"]})
    for fragment, path in (
        ("gale", "e/wind.html"),
        ("breeze", "b/wind.html"),
        ("calm", "a/wind.html"),
        ("", "a/wind.html"),
    ):
        found = suggester.for_missing_file("wind.html", "x.html", fragment=fragment)
        assert found is not None
        assert (found.path, found.sure) == (path, False)


def test_another_base() -> None:
    paths = ["v1/other/logo.png", "v2/img/logo.png"]
    assert of("v2/guide/img/logo.png", *paths, document="v2/guide/a.html") == ("v2/img/logo.png", True)
    assert of("img/logo.png", *paths, document="v2/guide/a.html") == ("v2/img/logo.png", True)
    assert of("img/logo.png", *paths, document="v3/a.html") == ("v1/other/logo.png", False)
    # another tree has it, too, with its folder
    paths.append("v1/img/logo.png")
    assert of("v2/guide/img/logo.png", *paths, document="v2/guide/a.html") == ("v2/img/logo.png", False)
    # only another tree has it
    paths = ["en/guide/a.html", "fr/a.html"]
    assert of("de/guide/a.html", *paths, document="de/x.html") == ("en/guide/a.html", False)


# what may have moved, and what is something else


@pytest.mark.parametrize(
    ("wanted", "paths"),
    [
        ("fr/about.html", ["en/about.html"]),
        ("fr/about.html", ["fr/index.html", "en/about.html"]),
        ("docs/fr-CA/about.html", ["docs/fr-FR/about.html"]),
        ("french/about.html", ["english/about.html"]),
        ("fr/guide/about.html", ["en/docs/about.html"]),
        ("fr/about.html", ["about.html"]),
        ("fr/about", ["about"]),
        ("fr/about/", ["about/index.html"]),
        ("about.html", ["en/about.html"]),
        ("uk/about.html", ["us/about.html"]),
        ("en-US/about.html", ["en-UK/about.html"]),
        ("v2/api/guide.html", ["v1/api/guide.html"]),
        ("1.10/guide.html", ["1.2/guide.html"]),
        ("latest/guide.html", ["v1/guide.html"]),
        ("v2/guide.html", ["guide.html"]),
        ("v2/guide/", ["v1/guide/index.html"]),
        ("2024/review.html", ["2023/review.html"]),
        ("part-1/exercises.html", ["part-2/exercises.html"]),
        ("python3/install.html", ["python/install.html"]),
        ("appendix-a/summary.html", ["appendix-b/summary.html"]),
    ],
)
def test_another_edition_is_not_sure(wanted: str, paths: list[str]) -> None:
    found = of(wanted, *paths)
    assert found is not None
    assert not found[1]


@pytest.mark.parametrize(
    ("wanted", "path", "document"),
    [
        # from within the edition, and what is there for all of them
        ("about.html", "en/about.html", "en/x.html"),
        ("img/logo.png", "v2/img/logo.png", "v2/guide/a.html"),
        ("fr/img/logo.png", "img/logo.png", "fr/x.html"),
        ("v2/style.css", "assets/style.css", "v2/x.html"),
        # no edition
        ("old/b/install.html", "new/install.html", "page.html"),
        ("js/app.js", "assets/js/app.js", "page.html"),
        ("2023/05/journey.html", "posts/journey.html", "page.html"),
        ("en/guide/a/install.html", "en/setup/install.html", "page.html"),
    ],
)
def test_what_has_moved_within_an_edition_is_sure(wanted: str, path: str, document: str) -> None:
    assert of(wanted, path, document=document) == (path, True)


def test_a_name_that_every_folder_has_is_not_distinctive() -> None:
    for name in ("README.html", "cover.png", "1.png", "chapter-2.html", "ab.html"):
        assert of(f"old/b/{name}", f"new/{name}") == (f"new/{name}", False)
        assert of(f"wrong/old/{name}", f"old/{name}") == (f"old/{name}", name not in ("1.png", "chapter-2.html"))
    assert of("old/b/a/", "new/a/index.html") == ("new/a/", False)
    assert of("old/b/概要.html", "new/概要.html") == ("new/概要.html", True)


def test_folders_beside_each_other_may_each_have_their_own() -> None:
    same = ["acme/index.html", "acme/terms.html", "other/index.html", "other/terms.html"]
    assert of("acme/prices.html", *same, "other/prices.html") == ("other/prices.html", False)
    assert of("acme/all/prices.html", *same, "other/all/prices.html") == ("other/all/prices.html", False)
    assert of("acme/prices.html", *same[:3], "other/prices.html") == ("other/prices.html", False)
    # nothing is the same
    assert of("acme/prices.html", "acme/index.html", "other/prices.html") == ("other/prices.html", True)
    # the folder is not there: it may have another name now, or be written later
    assert of("acme/prices.html", "other/prices.html") == ("other/prices.html", False)
    assert of("windows/install.html", "linux/install.html") == ("linux/install.html", False)
    assert of("guied/install.html", "guide/install.html") == ("guide/install.html", True)
    assert of("getters/install.html", "setters/install.html") == ("setters/install.html", False)


def test_of_honest_moves_most_are_sure() -> None:
    chance = random.Random(1)
    words = ["install", "configure", "overview", "glossary", "download", "security", "database", "template", "calendar"]
    folders = ["guide", "guide/advanced", "reference", "reference/library", "tutorial", "news", "assets/images", ""]
    paths = {f"{folder}/index.html".lstrip("/") for folder in folders}
    paths |= {f"{folder}/{name}".lstrip("/") for folder in folders[::2] for name in ("introduction.html", "faq.html")}
    names = [f"{one}-{other}.html" for one in words for other in words if one < other] + [f"{one}.png" for one in words]
    homes = {name: chance.choice(folders) for name in names}
    paths |= {f"{folder}/{name}".lstrip("/") for name, folder in homes.items()}
    sure = 0
    for name, folder in homes.items():
        old = f"{folder}/{name}".lstrip("/")
        new = f"{chance.choice([other for other in [*folders, 'archive'] if other != folder])}/{name}".lstrip("/")
        sure += of(old, *(paths - {old} | {new})) == (new, True)
    assert sure >= 0.8 * len(homes)  # most of the others went to a folder beside that has an index, too


def test_the_name_of_a_folder_tells_nothing_if_it_is_not_in_the_reference() -> None:
    paths = ["guide/index.html", "guide/x.html", "news/x.html", "news/index.html"]
    assert of("news/guide/index.html", *paths, document="news/a.html") == ("guide/index.html", True)
    assert of("news/guide/index.html", *paths, document="news/a.html", names=1) == ("guide/index.html", False)
    assert of("news/guide/x.html", *paths, document="news/a.html") == ("guide/x.html", True)
    assert of("news/guide/x.html", *paths, document="news/a.html", names=1) == ("guide/x.html", False)
    assert of("news/guide/", *paths, document="news/a.html", names=0) == ("guide/", False)


# one edit


@pytest.mark.parametrize(
    ("wanted", "paths", "expected"),
    [
        ("a/instal.html", ["a/install.html"], ("a/install.html", True)),
        ("a/innstall.html", ["a/install.html"], ("a/install.html", True)),
        ("a/instoll.html", ["a/install.html"], ("a/install.html", True)),
        ("a/isntall.html", ["a/install.html"], ("a/install.html", True)),
        ("a/instlol.html", ["a/install.html"], ("a/install.html", False)),
        ("a/instull.html", ["a/install.html", "a/instill.html"], ("a/install.html", False)),
        ("a/instal.html", ["a/install.html", "a/insta.html"], ("a/insta.html", False)),
        ("a/instull.html", ["a/install.html", "a/inspire.html"], ("a/install.html", True)),
        ("a/instal.html", ["a/install.html", "a/instals.html", "b/install.html"], ("a/install.html", False)),
        ("a/fag.html", ["a/faq.html"], ("a/faq.html", False)),
        ("a/installhtml", ["a/install.html"], ("a/install.html", True)),
        ("a/install,html", ["a/install.html"], ("a/install.html", True)),
        ("a/instal.lhtml", ["a/install.html"], ("a/install.html", True)),
        ("a/installh.tml", ["a/install.html"], ("a/install.html", True)),
        ("a/install-html", ["a/install.html", "a/instalx.html"], ("a/install.html", False)),
        ("a/instal/", ["a/install/index.html"], ("a/install/", True)),
        ("a/instal", ["a/install/index.html"], ("a/install/", True)),
        ("a/instal/", ["a/install/x.html"], None),
        ("guied/a/index.html", ["guide/a/index.html", "guise/b.html"], ("guide/a/index.html", True)),
        ("guied/a/index.html", ["guide/b/index.html"], None),
        ("guied/", ["guide/index.html", "guile/index.html"], ("guide/", False)),
        ("b/instal.html", ["a/install.html"], ("a/install.html", False)),
        ("a/nothing.html", ["a/install.html"], None),
    ],
)
def test_one_edit(wanted: str, paths: list[str], expected: tuple[str, bool] | None) -> None:
    assert of(wanted, *paths) == expected


def test_the_index_of_another_folder() -> None:
    assert of("b/a/index.html", "a/index.html", "index.html", "b/x.html") == ("a/index.html", True)
    assert of("b/a/index.html", "a/index.html", "index.html") == ("a/index.html", False)
    assert of("b/a/index.html", "a/index.html", "c/a/index.html") == ("a/index.html", False)
    assert of("b/index.html", "index.html", document="b/page.html") == ("index.html", True)
    assert of("b/index.html", "a/index.html", document="b/page.html") is None
    assert of("b/c/index.html", "index.html", "b/index.html", document="b/c/p.html") == ("b/index.html", False)
    assert of("b/", "b/x.html", "a/b/index.html") is None  # the folder is right, and its index is missing
    assert of("b/a/home.htm", "a/home.htm", "c/home.htm", "b/x.html", index_names=("home.htm",)) == ("a/home.htm", True)


def test_another_number() -> None:
    assert of("chapter2.html", "chapter1.html") is None
    assert of("chapter12.html", "chapter1.html") is None
    assert of("chaptr1.html", "chapter1.html") == ("chapter1.html", True)
    assert of_id("section-3", "section-2") is None


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("fig-b.png", "fig-a.png"),
        ("figure-b-small.png", "figure-a-small.png"),
        ("appendixB.html", "appendixA.html"),
        ("figure1a.png", "figure1b.png"),
        ("figure1.png", "figure1b.png"),
        ("part-ii.html", "part-iii.html"),
        ("guide-es.html", "guide-et.html"),
        ("part-1/index.html", "part-2/index.html"),
    ],
)
def test_another_member_of_a_series_is_not_a_guess(wanted: str, path: str) -> None:
    assert of(wanted, path) is None


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        # another kind of file
        ("doxygen.png", "doxygen.css"),
        ("app.css", "app.js"),
        ("install.html", "install.pdf"),
        ("img/logo/", "img/logo.png"),
        ("logo.png", "logo/index.html"),
        # another word
        ("map.html", "list.html"),
        ("guide.html", "guise-me.html"),
        ("abcdef.html", "abxdyf.html"),
        # a far folder
        ("packages/pdt.html", "Manual/edit.html"),
        ("packages/pdt.html", "Manual/pdf.html"),
        ("packages/instlol.html", "Manual/install.html"),
    ],
)
def test_a_weak_guess_is_none(wanted: str, path: str) -> None:
    assert of(wanted, path, "packages/other.html") is None


def test_a_rival_that_is_not_offered_is_still_one() -> None:
    assert of("chaptr1.html", "chapter1.html", "chaptr2.html") == ("chapter1.html", False)
    assert of_id("chaptr1", "chapter1", "chaptr2") == ("chapter1", False)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("a/b.md", "b/"),
        ("a/b.html", "b/"),
        ("b.md", "b/"),
        ("a/c/d.md", "c/d/"),
        ("c/d.md", "c/d/"),
        ("a/b.png", None),
    ],
)
def test_beside_a_page_with_a_pretty_url_are_others(wanted: str, found: str | None) -> None:
    guess = of(wanted, "b/index.html", "c/d/index.html", document="a/index.html")
    assert guess == (None if found is None else (found, False))


def test_a_slip_beside_a_letter_or_number_is_one() -> None:
    assert of("fgi-b.png", "fig-b.png") == ("fig-b.png", True)
    assert of("whats-new.html", "what-s-new.html") == ("what-s-new.html", True)
    assert of("part1.html", "part-1.html") == ("part-1.html", True)
    assert of_id("setup-on-mca", "setup-on-mac") == ("setup-on-mac", True)


def test_the_document_itself() -> None:
    assert of("v1/setup.html", document="v2/setup.html") == ("v2/setup.html", False)
    assert of("v2/setups.html", document="v2/setup.html") == ("v2/setup.html", False)
    assert of("V2/setup.html", document="v2/setup.html") == ("v2/setup.html", True)


def test_what_the_reference_lacks_is_the_path_of_the_site() -> None:
    assert of("css/x.css", "css/x.css") == ("css/x.css", True)
    assert of("index.html", "index.html") == ("index.html", False)


def test_clean_urls() -> None:
    assert of("a/instal", "a/install.html", extensions=("html",)) == ("a/install", True)
    assert of("old/b/install", "a/install.html", extensions=("html",)) == ("a/install", True)
    assert of("a/Install", "a/install.html", extensions=("html",)) == ("a/install", True)
    assert of("a/instal.html", "a/install.html", extensions=("html",)) == ("a/install.html", True)


def test_the_file_of_a_path() -> None:
    suggester = suggester_of("index.html", "a/index.html", "b.html", extensions=("html",))
    assert [suggester.file_of(path) for path in ("", "a", "a/", "b", "b.html", "c")] == [
        *("index.html", "a/index.html", "a/index.html", "b.html", "b.html"),
        None,
    ]


@pytest.mark.parametrize(
    "wanted", ["", "/", "//", ".", "a/" * 5000, "a" * 5000, "\0", "\udcff", "x/\udcff.html", "..."]
)
def test_odd_paths(wanted: str) -> None:
    assert of(wanted, "a/install.html") is None


@pytest.mark.parametrize(
    ("wanted", "ids", "expected"),
    [
        ("getting_started", ["getting-started"], ("getting-started", True)),
        ("getting-started", ["Getting-Started"], ("Getting-Started", True)),
        ("getting%20started", ["getting-started"], ("getting-started", True)),
        ("Ü-b", ["ü b"], ("ü b", True)),
        ("%C3%9C-b", ["ü b"], ("ü b", True)),
        # what may be an identifier
        ("GettingStarted", ["gettingstarted"], ("gettingstarted", False)),
        ("Q_CHECK_PTR", ["q_check_ptr"], ("q_check_ptr", False)),
        ("Q_CHECK_PTR", ["Q_CHECKS_PTR"], ("Q_CHECKS_PTR", False)),
        ("Admonition.content_model", ["Admonition.contents_model"], ("Admonition.contents_model", False)),
        ("admonition.content_model", ["Admonition.content_model"], ("Admonition.content_model", False)),
        ("javax.net", ["java.net"], ("java.net", False)),
        ("installGuide", ["install-guide"], ("install-guide", False)),
        ("a-b", ["a_b", "A-B"], ("A-B", False)),
        ("instal", ["install"], ("install", True)),
        ("instal:~:text=x", ["install"], ("install", True)),
        ("instal", ["install", "instals"], ("install", False)),
        ("method.into", ["tymethod.into"], ("tymethod.into", False)),
        ("v:gmapT", ["v:imap"], None),
        ("v:max", ["v:map"], None),
        ("v:sequence", ["v:sequenceBy"], None),
        ("toConstr", ["Constr"], None),
        ("cwisetable_log2", ["cwisetable_log"], None),
        ("line-93", ["line-13"], None),
        ("fig-b", ["fig-a"], None),
        ("see-abcde", ["see-abxdy"], None),
        ("abc", ["abd"], ("abd", False)),
        ("nothing", ["install", ""], None),
        ("", ["install"], None),
        ("%FF", ["install"], None),
        ("a" * 5000, ["install"], None),
    ],
)
def test_ids(wanted: str, ids: list[str], expected: tuple[str, bool] | None) -> None:
    assert of_id(wanted, *ids) == expected


def test_ids_are_read_once_and_forgotten_in_the_end() -> None:
    asked: list[str] = []

    def ids_of(path: str) -> list[str]:
        asked.append(path)
        return ["install"]

    suggester = Suggester(files_of((), ()), ids_of, lambda path: path)
    for _ in range(3):
        assert suggester.for_missing_fragment("a", "instal") is not None
    assert asked == ["a"]
    for number in range(200):
        suggester.for_missing_fragment(str(number), "instal")
    assert suggester._ids.cache_info().currsize <= 64


def test_many_files_take_time_in_proportion() -> None:
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"

    def suggesting(n: int) -> Callable[[], None]:
        flat = [f"api/struct.{''.join(chance.choices(letters, k=12))}.html" for _ in range(2 * n)]
        deep = [
            f"{chance.choice(letters)}/{chance.choice(letters)}/{''.join(chance.choices(letters, k=9))}.html"
            for _ in range(3 * n)
        ]
        alike = [f"pages/page-{number:05}.html" for number in range(n)]
        suggester = suggester_of(*flat, *deep, *alike)
        asked = [path for files in (flat, deep, alike) for path in chance.sample(files, n // 8)]

        def run() -> None:
            found = 0
            for path in asked:
                at = len(path) - 8
                suggestion = suggester.for_missing_file(path[:at] + path[at + 1 :], "x.html")
                found += suggestion is not None and suggestion.path == path
            for number in range(n // 5):
                suggester.for_missing_file(f"api/index-{number}.html", "x.html")
            assert found >= 0.3 * len(asked)

        return run

    assert_proportional(suggesting, 200)


# names that are like another: exact, and never a comparison with very many


NAMES = {
    "numbers at the end": ("page-with-a-long-name-{:05}.html", "page-with-a-long-name-{:05}x.html"),
    "numbers in the middle": ("aaaaaaaaaaaaaaa{:05}bbbbbbbbbbbbbbb.html", "aaaaaaaaaaaaaaa{:05}bbbbbbbbbbbbbbc.html"),
    "numbers first": ("{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbb.html", "{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbcb.html"),
    "no name like it": ("{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbb.html", "zzbbbbbbbbbbbbbbbbbbbbbbbbbbbbb{:05}.html"),
    "folders": ("d{:05}/page.html", "d{:05}x/page.html"),
    "short": ("{:05}.html", "x{:05}.html"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", NAMES)
def test_no_finding_is_compared_with_very_many(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """However many files and findings there are, the comparisons of each finding are no more."""
    compared = 0

    def counted(one: str, other: str) -> int:
        nonlocal compared
        compared += 1
        return edits(one, other)

    monkeypatch.setattr(misspelt_names, "edits", counted)
    monkeypatch.setattr(suggestions, "edits", counted)
    name, wanted = NAMES[kind]
    for count in (100, 200, 400, 3000):
        paths = [name.format(number) for number in range(count)]
        folders = frozenset({"", *(path.partition("/")[0] for path in paths if "/" in path)})
        suggester = Suggester(files_of(paths, folders), lambda path: frozenset(), lambda path: "http://h/" + path)
        findings = min(count, 300)
        compared = 0
        for number in range(findings):
            suggester.for_missing_file(wanted.format(number), "index.html")
        assert compared <= findings * 1000, count


def test_ids_are_compared_with_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr(misspelt_names, "edits", lambda one, other: compared.append(one) or edits(one, other))
    for count in (100, 400, 3000):
        ids = frozenset(f"section-{number:05}" for number in range(count))
        suggester = Suggester(files_of({"p"}), lambda path: ids, lambda path: path)  # noqa: B023
        compared.clear()
        for number in range(100):
            suggester.for_missing_fragment("p", f"section-{number:05}x")
        assert len(compared) <= 100 * 500
