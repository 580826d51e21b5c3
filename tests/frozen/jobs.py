"""The frozen jobs: names and command lines. A job is a list of steps that share a folder."""

QUASI = "age,zip,sex,race"
ROLES = ["--qi", QUASI, "--identifier", "name,person", "--sensitive", "disease",
         "--insensitive", "ward", "--rest", "drop"]
HIERARCHIES = ["--hierarchy", "age=intervals(5,10,20)", "--hierarchy", "zip=mask(right,3)",
               "--hierarchy", "sex=suppress", "--hierarchy", "race=race.csv"]
SETTLED = ["--keep-order", "--seed", "1", "--allow-leaks"]

METHODS = {
    "mingen": [], "cell": ["--effort", "fast"], "datafly": [], "mu-argus": ["--accept", "unsafe"],
    "samarati": [], "incognito": [], "mondrian": [], "k-member": [],
    "local-suppression": ["--effort", "fast"], "microaggregate": [],
    "top-down": ["--effort", "fast"],
}
WITHOUT_POPULATION = {"mondrian", "k-member", "microaggregate"}
MODELS = {
    "k": ["-k", "3"],
    "l": ["-k", "2", "--l-diversity", "disease=2"],
    "entropy": ["-k", "2", "--entropy-l", "disease=1.5"],
    "recursive": ["-k", "2", "--recursive-cl", "disease=3,2"],
    "p": ["-k", "3", "--p-sensitive", "2"],
    "extended-p": ["-k", "3", "--extended-p", "disease=2", "--sensitive-hierarchy",
                   "disease=disease.csv", "--protect", "disease=lung,belly"],
    "alpha": ["-k", "2", "--alpha", "disease=0.7"],
    "t": ["-k", "2", "--t-closeness", "disease=0.5"],
    "t-hierarchical": ["-k", "2", "--t-closeness", "disease=0.4", "--sensitive-hierarchy",
                       "disease=disease.csv", "--distance", "disease=hierarchical"],
    "delta": ["-k", "2", "--delta-disclosure", "disease=1.5"],
    "beta": ["-k", "2", "--beta", "disease=2"],
    "enhanced-beta": ["-k", "2", "--enhanced-beta", "disease=1.5"],
    "k-map": ["--k-map", "3", "--population", "population.csv"],
    "presence": ["--delta-presence", "0,0.8", "--population", "population.csv"],
    "max-risk": ["--max-risk", "0.34"],
    "mean-risk": ["-k", "2", "--mean-risk", "0.3"],
    "risk-share": ["-k", "2", "--risk-share", "0.4,0.2"],
    "sample-uniqueness": ["--sample-uniqueness", "0.05"],
    "persons": ["-k", "2", "--entity", "person"],
}
TREATMENTS = ["keep", "drop", "exempt"]
MEASURES = ["precision", "loss", "geometric-loss", "ncp", "discernibility", "class-size", "entropy",
            "nonuniform-entropy", "height", "ambiguity", "classification=disease"]


# Averages are made of numbers.
NUMBERS = ["--qi", "age,score", "--identifier", "name,person", "--sensitive", "disease",
           "--rest", "drop"]


def anonymize(source, *more, output="release.csv"):
    roles = NUMBERS if "microaggregate" in more else ROLES + HIERARCHIES
    return ["anonymize", source, *roles, *SETTLED, "-o", output, "--result", "result.json", *more]


def with_hierarchy(command, column, hierarchy):
    """The command with another hierarchy for the column."""
    return [f"{column}={hierarchy}" if word.startswith(f"{column}=") else word for word in command]


ADDITIVE = ["precision", "loss", "ncp", "nonuniform-entropy"]


def releases():
    for method, extra in METHODS.items():
        for model, options in MODELS.items():
            if method in WITHOUT_POPULATION and "--population" in options:
                continue
            if method == "mu-argus" and "-k" not in options:
                options = ["-k", "2", *options]
            for treatment in TREATMENTS:
                yield (f"{method} {model} {treatment}",
                       [anonymize("data.csv", "--method", method, *extra, *options, "--suppressed",
                                  treatment, "--suppress", "10%", "--save-recoding",
                                  "recoding.rec")])


def measures():
    for method in ["mingen", "samarati", "top-down", "cell"]:
        for measure in MEASURES if method != "cell" else ADDITIVE:
            yield (f"{method} by {measure}",
                   [anonymize("data.csv", "--method", method, "-k", "3", "--utility", measure,
                              "--suppress", "5%", "--weights", "age=2,zip=0.5",
                              "--save-recoding", "recoding.rec")])


LARGE_MODELS = {
    "k": ["-k", "5"],
    "l": ["-k", "3", "--l-diversity", "disease=3"],
    "t": ["-k", "3", "--t-closeness", "disease=0.35"],
    "entropy": ["--entropy-l", "disease=2.5"],
}


def large():
    """More tuples than the small ways of the searches take."""
    for method, extra in METHODS.items():
        for model, options in LARGE_MODELS.items():
            if method == "mu-argus" and "-k" not in options:
                options = ["-k", "2", *options]
            for treatment in TREATMENTS:
                yield (f"large {method} {model} {treatment}",
                       [anonymize("large.csv", "--method", method, *extra, *options, "--suppressed",
                                  treatment, "--suppress", "5%", "--save-recoding",
                                  "recoding.rec")])
    for effort in ["balanced", "best"]:
        for method in ["cell", "local-suppression", "top-down"]:
            yield (f"large {method} {effort}",
                   [anonymize("large.csv", "--method", method, "--effort", effort, "-k", "4")])


def settings():
    base = ["-k", "3"]
    for name, more in {
        "levels": ["--method", "mingen", "--level", "age=1..2"],
        "levels of cells": ["--level", "zip=0..2"],
        "prefer": ["--method", "mingen", "--prefer", "suppression,relative"],
        "two quasi-identifiers": ["--method", "mingen", "--qi-set", "age,zip", "--qi-set", "sex,race"],
        "two quasi-identifiers, cells": ["--qi-set", "age,zip", "--qi-set", "zip,sex,race"],
        "two quasi-identifiers, regions": ["--method", "mondrian", "--qi-set", "age,zip",
                                           "--qi-set", "zip,sex,race"],
        "two quasi-identifiers, clusters": ["--method", "k-member", "--qi-set", "age,zip",
                                            "--qi-set", "zip,sex,race"],
        "two quasi-identifiers, single cells": ["--method", "local-suppression",
                                                "--qi-set", "age,zip", "--qi-set", "zip,sex,race"],
        "combinations by name": ["--method", "mu-argus", "--qi", "age,zip,sex,race",
                                 "--combinations", "age+zip,zip+sex+race"],
        "dates": ["--qi", "birth,zip", "--hierarchy", "birth=dates(month,year)"],
        "balanced": ["--effort", "balanced"],
        "best": ["--effort", "best"],
        "relaxed": ["--method", "mondrian", "--cut", "relaxed"],
        "means": ["--method", "microaggregate", "--replace", "mean", "--qi", "age,score"],
        "medians": ["--method", "microaggregate", "--replace", "median", "--qi", "age,score"],
        "ranges": ["--method", "microaggregate", "--replace", "range", "--qi", "age,score"],
        "matching": ["--method", "local-suppression", "--missing-matches", "all"],
        "importance": ["--method", "local-suppression", "--importance", "age=3"],
        "identification": ["--method", "mu-argus", "--identification", "age=1,zip=2,sex=3,race=3",
                           "--combinations", "all"],
        "published": ["--method", "mu-argus", "--combinations", "published", "--accept", "unsafe"],
        "preference": ["--method", "datafly", "--preference", "age=0.2"],
        "likelihood": ["--method", "datafly", "--likelihood", "age=0.9"],
        "suggested": ["--qi", "age,zip,birth"],
    }.items():
        chosen = anonymize("data.csv", *base, *more, "--save-recoding", "recoding.rec")
        if "--qi" in more or "--qi-set" in more:  # roles are given anew, hierarchies of other columns go
            chosen = ["anonymize", "data.csv", "--rest", "drop", *SETTLED, "-o", "release.csv",
                      "--result", "result.json", *base, *more,
                      "--save-recoding", "recoding.rec"]
        yield name, [chosen]
    yield ("a top of its own",
           [with_hierarchy(anonymize("data.csv", "-k", "3", "--suppress", "5", "--method", "mingen"),
                           "zip", "zips.csv")])


def missing_in(source):
    """NA is a value of a database, unless it is named."""
    return ["--missing", ",NA"] if source.startswith("sqlite:") else []


def formats():
    for source in ["data.tsv", "semicolons.csv", "data.csv.gz", "sqlite:data.sqlite?table=t"]:
        for output in ["release.csv", "release.tsv", "release.csv.gz", "release.xlsx",
                       "sqlite:out.sqlite?table=r"]:
            for method in ["cell", "mingen"]:
                yield (f"{method} from {source} to {output}",
                       [anonymize(source, "-k", "3", "--method", method, *missing_in(source),
                                  output=output)])
    yield ("inside a database",
           [anonymize("sqlite:data.sqlite?table=t", "-k", "3", "--method", "mingen",
                      *missing_in("sqlite:"),
                      output="sqlite:data.sqlite?table=r")])


def judged(options):
    """What a release can be judged by: it has no persons any more."""
    return options[:2] if "--entity" in options else options


def questions():
    for model, options in MODELS.items():
        yield f"check {model}", [["check", "data.csv", *ROLES, *options, "--json"]]
        yield (f"lattice {model}",
               [["lattice", "data.csv", *ROLES, *HIERARCHIES, *options, "--suppress", "10%",
                 "--suppressed", "exempt", "--json"]])
        yield (f"check the release of {model}",
               [anonymize("data.csv", *options, "--suppress", "10%"),
                ["check", "release.csv", "--qi", QUASI, "--sensitive", "disease",
                 *judged(options), "--json"]])
    for name, more in {
        "plain": [], "special uniques": ["--suda"], "population": ["--sampling-fraction", "0.1"],
        "rows": ["--rows", "rows.csv"], "curve": ["--curve"],
    }.items():
        if name != "curve":
            yield f"risk {name}", [["risk", "data.csv", *ROLES, *more, "--json"]]
    for method, extra in METHODS.items():
        release = anonymize("data.csv", "-k", "3", "--method", method, *extra)
        if method != "microaggregate":
            yield (f"attack {method}",
                   [release, ["attack", "release.csv", "voters.csv", "--qi", "age,zip,sex",
                              "--sensitive", "disease", *HIERARCHIES[:6], "--json"]])
        yield (f"utility {method}",
               [release, ["utility", "data.csv", "release.csv", "--against", "result.json",
                          "--json"]])
        yield f"audit {method}", [release, ["check", "release.csv", "--against", "result.json",
                                            "--json"]]
    yield "advise", [["risk", "data.csv", "--advise", "--json"]]
    yield "job", [["anonymize", "job.yaml", *SETTLED, "-o", "release.csv", "--result",
                   "result.json", "--save-job", "saved.yaml"]]
    yield "compare", [["compare", "job.yaml", "--methods", "mingen,cell,mondrian,k-member",
                       "--json"]]
    for column in ["age", "zip", "birth", "race"]:
        yield f"suggest {column}", [["hierarchy", "suggest", "data.csv", "--qi", column]]


def parts():
    for method in ["cell", "mingen", "samarati", "datafly", "top-down", "k-member"]:
        for treatment in TREATMENTS:
            yield (f"parts {method} {treatment}",
                   [["count", "first.csv", *ROLES, "-o", "first.part", "--quiet"],
                    ["count", "second.csv", *ROLES, "-o", "second.part", "--quiet"],
                    ["anonymize", "first.part", "second.part", *HIERARCHIES, "-k", "3",
                     "--l-diversity", "disease=2", "--method", method, "--suppressed", treatment,
                     "--suppress", "10%", "--save-recoding", "recoding.rec", "--result",
                     "result.json"],
                    ["apply", "recoding.rec", "first.csv", "-o", "release.csv", *SETTLED]])
        yield (f"history {method}",
               [anonymize("data.csv", "-k", "3", "--method", "mingen", "--save-recoding",
                          "earlier.rec"),
                with_hierarchy(anonymize("data.csv", "-k", "3", "--method", method, "--history",
                                         "earlier.rec", "--save-recoding", "recoding.rec"),
                               "age", "intervals(10,30)")])


def refusals():
    for name, command in {
        "too few rows": anonymize("few.csv", "-k", "20"),
        "p above k": anonymize("data.csv", "-k", "2", "--p-sensitive", "3"),
        "unknown column": ["check", "data.csv", "--qi", "nobody", "-k", "2"],
        "no model": anonymize("data.csv"),
        "no such file": ["check", "nowhere.csv", "--qi", "age", "-k", "2"],
        "unknown method": anonymize("data.csv", "-k", "2", "--method", "magic"),
        "bad limit": anonymize("data.csv", "-k", "2", "--suppress", "200%"),
        "missing value": anonymize("data.csv", "-k", "2", "--hierarchy", "race=disease.csv"),
    }.items():
        yield f"refused: {name}", [command]


def every():
    for kind in [releases, large, measures, settings, formats, questions, parts, refusals]:
        yield from kind()
