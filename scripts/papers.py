# papers.py MINGLE: docs/papers.md on standard output: what the papers print, and what MINGLE finds
# for it. A value that differs without an explanation, or is explained and does not differ, is an
# error.
import json, math, os, subprocess, sys, tempfile

import table4

source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
mingle = os.path.abspath(sys.argv[1])
ADULT = os.path.join(source, "..", "shared", "data", "adult", "adult.csv")
os.chdir(os.path.join(source, "tests", "seeds"))

# ---- Asking the program -----------------------------------------------------------------------

def run(*words, given=None):
    """What a command prints. 1 is an answer, too: a model does not hold."""
    done = subprocess.run([mingle, *words], input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode > 1:
        sys.exit(f"mingle {' '.join(words)}: {done.stderr}")
    return done.stdout

def ask(*words, given=None):
    return json.loads(run(*words, "--json", given=given))

def check(table, qi, *more):
    return ask("check", table, "--qi", qi, *more)

def classes(result):
    found = result["classes"]
    return f"{found['count']} of {found['min']} to {found['max']} rows"

def counts(table, column):
    """How often the two values of a column occur, the larger number first."""
    found = check(table, column)["classes"]
    assert found["count"] == 2
    return f"{found['max']}, {found['min']}"

def distinct(text, columns):
    return ", ".join(str(check_text(text, column)["classes"]["count"]) for column in columns)

def check_text(text, qi):
    return ask("check", "-", "--qi", qi, given=text)

def release(job, *options):
    return run("anonymize", job, "--keep-order", "-o", "-", *options)

def equal_rows(text, table):
    """How many rows are those of a printed table, in its order. Columns are found by name."""
    made, printed = (rows.splitlines() for rows in (text, open(table, encoding="utf-8").read()))
    columns = [made[0].split(",").index(name) for name in printed[0].split(",")]
    made = [",".join(row.split(",")[c] for c in columns) for row in made[1:]]
    return f"{sum(a == b for a, b in zip(made, printed[1:]))} of {max(len(made), len(printed) - 1)}"

def nodes(result, key="minimal_nodes"):
    found = result[key] if isinstance(result[key], list) else [result[key]]
    return ", ".join(f"[{','.join(str(level) for level in node.values())}]" for node in found)

def node(lattice, *levels):
    return next(n for n in lattice["lattice"] if list(n["node"].values()) == list(levels))

def precision(job, table):
    return ask("utility", job, table)["utility"]["precision"]

def heights(*words):
    return ", ".join(str(h["height"]) for h in ask("hierarchy", "check", *words)["hierarchies"])

def built(values, builder, level):
    """The labels of a level, for a column of values."""
    table = "\n".join(["v", *map(str, values)]) + "\n"
    file = ask("hierarchy", "build", "-", "--hierarchy", f"v={builder}", given=table)
    lines = file["hierarchies"][0]["file"].splitlines()
    return ", ".join(dict.fromkeys(line.split(";")[level] for line in lines))

# ---- The page ---------------------------------------------------------------------------------

mistakes = []
n_same = n_different = 0

def section(title, text):
    print(f"\n## {title}\n{text}\n\n| where | what | printed | here | |\n|---|---|---|---|---|")

def row(where, what, printed, here, why="", note=""):
    """A value. printed None: none is; what stands after ' (' is a remark. why: it differs, because;
    note: what else there is to say."""
    global n_same, n_different
    here = str(here)
    if printed is None:
        verdict = note
    elif printed.split(" (")[0] == here:
        n_same += 1
        verdict = f"same; {note}" if note else "same"
        if why:
            mistakes.append(f"{where}, {what}: explained, but the same")
    else:
        n_different += 1
        verdict = f"**differs**: {why}"
        if not why:
            mistakes.append(f"{where}, {what}: printed {printed}, here {here}, not explained")
    print(f"| {where} | {what} | {'-' if printed is None else printed} | {here} | {verdict} |")

def sweeney():
    section("L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression (2002)",
            "Document 000; 003 is its words without figures and has no number of its own.")
    qi = "Race,Birth,Gender,ZIP"
    row("figure 1", "k", "2", check("000_fig1.csv", qi)["k"])
    row("", "classes: t1 t2, t3 t4, t5 t6 t7", "3 of 2 to 3 rows", classes(check("000_fig1.csv", qi)))
    row("example 2", "rows with Black, White", "4, 3", counts("000_fig1.csv", "Race"))
    row("", "1964, 1965", "5, 2", counts("000_fig1.csv", "Birth"))
    row("", "m, f", "5, 2", counts("000_fig1.csv", "Gender"))
    row("", "02138, 02141", "5, 2", counts("000_fig1.csv", "ZIP"))
    row("figure 2", "what 02138 and 02139 become", "0213*",
        built(["02138", "02139"], "mask(right,2)", 1))
    row("figures 2, 3", "heights of Race and ZIP", "2, 3", heights("000_fig4.yaml"))

    tables = [("[1,0]", "2", "0.75"), ("[1,1]", "4", "0.58"), ("[0,2]", "4", "0.67"),
              ("[0,1]", "2", "0.83")]
    names = {name: f"000_fig4_gt_{name[1]}_{name[3]}.csv" for name, _, _ in tables}
    lattice = ask("lattice", "000_fig4.yaml", "-k", "2")
    for name, _, _ in tables:
        made = release("000_fig4.yaml", "-k", "1", "--level", f"Race={name[1]},ZIP={name[3]}")
        row("figure 4", f"rows of GT{name}", "8 of 8", equal_rows(made, names[name]))
    for name, k, _ in tables:
        row("example 3", f"largest k of GT{name}", k, check(names[name], "Race,ZIP")["k"])
    row("equation 1", "generalizations of figure 4", "12 ((2+1)(3+1))", lattice["nodes"]["total"])
    row("example 4", "minimal generalizations for k = 2", "[0,1], [1,0]", nodes(lattice))
    all_nodes = ask("lattice", "000_fig4.yaml", "-k", "1")
    row("example 5", "Prec of PT", "1", f"{node(all_nodes, 0, 0)['utility']['precision']:g}")
    row("", "Prec if all is suppressed", "0", f"{node(all_nodes, 2, 3)['utility']['precision']:g}")
    for name, _, prec in tables:
        row("example 6", f"Prec(GT{name})", prec, f"{precision('000_fig4.yaml', names[name]):.2f}")
    best = ask("anonymize", "000_fig4.yaml", "-k", "2", "--method", "mingen", "--dry-run")
    row("definition 6", "minimal distortion of figure 4", "[0,1]", nodes(best, "node"))

def sweeney_figure_7():
    qi = "Race,BirthDate,Gender,ZIP"
    row("figure 5", "the algorithm MinGen", None, "", note="`--method mingen`: levels by column; "
        "`--method cell`: levels by cell")
    row("figure 6", "heights of Race, BirthDate, Gender, ZIP", None, heights("000_fig7.yaml"),
        note="the picture is lost; the levels follow from the words and from Datafly's 0.75")
    row("figure 7", "Prec of PT", "1.00", f"{precision('000_fig7.yaml', '000_fig7.csv'):.2f}")
    row("", "k of GT", "2", check("000_fig7_gt.csv", qi)["k"])
    row("", "Prec of GT", "0.90", f"{precision('000_fig7.yaml', '000_fig7_gt.csv'):.4f}",
        why="no hierarchy of BirthDate gives both 0.90 and Datafly's 0.75: then a year costs 2/5, "
        "GT has 8.5 of 48 cells lost, and 0.90 allows 4.8")
    best = ask("anonymize", "000_fig7.yaml", "-k", "2", "--dry-run")
    row("example 7", "Prec of the minimal distortion, levels by cell", "0.90",
        f"{best['utility']['precision']:.4f}", why="GT is not minimal: six pairs are better, and "
        "the search proves that no release is better than these")
    columns = ask("anonymize", "000_fig7.yaml", "-k", "2", "--method", "mingen", "--dry-run")
    row("", "the same, levels by column", None, f"{columns['utility']['precision']:.4f}",
        note=f"node {nodes(columns, 'node')} of {columns['nodes']['total']}; nothing suppressed")
    row("equation 2", "generalizations by cell", None, "", note="a formula: 144^12 for figure 7")

    names = qi.split(",")
    row("figure 8", "the algorithm Datafly", None, "", note="`--method datafly`")
    before = open("000_fig7.csv", encoding="utf-8").read()
    years = release("000_fig7.yaml", "-k", "1", "--level", "Race=0,BirthDate=2,Gender=0,ZIP=0")
    row("figure 9A", "distinct values of the columns", "2, 12, 2, 3", distinct(before, names))
    row("", "sequences", "12 of 1 to 1 rows", classes(check_text(before, qi)))
    row("figure 9B", "distinct values of the columns", "2, 3, 2, 3", distinct(years, names))
    row("", "sequences", "7 of 1 to 2 rows", classes(check_text(years, qi)))
    datafly = ["-k", "2", "--method", "datafly", "--suppressed", "drop"]
    row("figure 10", "rows of MGT", "10 of 10",
        equal_rows(release("000_fig7.yaml", *datafly), "000_fig10.csv"))
    found = ask("anonymize", "000_fig7.yaml", *datafly, "--dry-run")
    row("", "suppressed rows: t7, t8", "2", found["suppressed_rows"])
    row("", "Prec", "0.75", f"{found['utility']['precision']:.2f}")
    row("", "k", "2", check("000_fig10.csv", qi)["k"])

    row("figure 11", "the algorithm of mu-Argus", None, "", note="`--method mu-argus`")
    row("figure 12", "combinations that the program tests", None, "",
        note="`--combinations published`")
    found = check_text(years, "BirthDate,ZIP")
    row("figure 13", "pairs of year and ZIP", "6 of 1 to 3 rows", classes(found))
    row("", "pairs that occur once: t8's", "1", found["risk"]["uniques"])
    sets = ask("risk", "-", "--qi", qi, given=years)["attributes"]
    rare = sum(round(12 * s["unique_rows"]) for s in sets if len(s["columns"]) in (2, 3))
    row("figure 14", "outliers of t7 and t8", "9 (2 + 7)", rare,
        why="t8 has eight: Race with Gender and ZIP is rare, too, as Race with Gender is; what is "
        "suppressed stays the same")
    argus = ["-k", "2", "--method", "mu-argus", "--identification",
             "BirthDate=1,Gender=2,ZIP=2,Race=3", "--accept", "unsafe"]
    row("figure 15", "rows of MT", "12 of 12",
        equal_rows(release("000_fig7.yaml", *argus), "000_fig15_mt.csv"))
    row("", "k of MT", None, check("000_fig15_mt.csv", qi)["k"],
        note="unsafe, as the paper says; refused without `--accept unsafe`")
    row("", "rows like t7 in MTactual", "1", check("000_fig15_mtactual.csv", qi)["k"],
        note="the table itself follows from no set of combinations that the paper lists")

def notes():
    section("T. Giannetsos, P. Papadimitratos, k-Anonymity techniques for privacy preserving (2014)",
            "Document 001, course notes.")
    qi = "Age,Country,Zip Code"
    table = check("001_table1.csv", qi, "--sensitive", "Health Condition")
    row("figure 1", "linking", None, "", note="a picture; see models-explained.md")
    row("table 1", "k", "2", table["k"])
    row("", "groups", "5", table["classes"]["count"],
        note="as printed; its ZIP codes have five and six characters")
    row("", "chance to find a row", "0.5 (1/k)", f"{table['risk']['prosecutor_max']:g}")
    row("", "different values in a group, at least", None,
        table["attributes"]["Health Condition"]["distinct_l"], note="the homogeneity attack")
    row("figure 2", "k before", None, check("001_fig2.csv", "Gender,Age,ZIP")["k"])
    row("", "k after", "2", check("001_fig2_release.csv", "Gender,Age,ZIP")["k"])
    row("", "Prec", None, f"{precision('001_fig2.yaml', '001_fig2_release.csv'):.4f}",
        note="levels by cell: M and * in one column")

def slides():
    section("Slides on k-anonymity", "Document 002: Samarati's search, distances, utility.")
    qi = "Ethnicity,Date Of Birth,Sex,ZIP,Marital Status"
    row("medical data", "k", None, check("002_medical.csv", qi)["k"], note="'released as anonymous'")
    attack = ask("attack", "002_medical.csv", "002_voters.csv", "--qi", "ZIP,Date Of Birth,Sex",
                 "--sensitive", "Problem", "--identifier", "Name")
    row("voter list", "persons found", None, attack["unique_matches"],
        note="not legible; a list of one line of our own")
    row("2-anonymous table", "k", "2", check("002_2anonymous.csv", "Race,Birth,Gender,ZIP")["k"])
    condition = check("002_condition_4anonymous.csv", "Zip Code,Age,Nationality", "--sensitive",
                      "Condition", "--l-diversity", "Condition=2")
    row("4-anonymous table", "k", "4", condition["k"])
    made = release("002_condition.yaml", "-k", "4", "--method", "mingen")
    row("", "rows, made from the original", "12 of 12",
        equal_rows(made, "002_condition_4anonymous.csv"))
    row("suppression", "the same rows, one with another age", None, "",
        note="the last row has 99 there and 35 elsewhere; 35 is taken")
    row("how good is k-anonymity", "rows of one condition only", "4",
        condition["models"][0]["violating_rows"])
    row("generalization process", "bands of ages", "18-29, 30-45, 46-65, 66-99",
        built(range(18, 100), "cuts(18,30,46,66)", 1), why="the last band of `cuts` is open")
    row("", "ZIP codes", "4740*, 8528*", built(["47408", "85281"], "mask(right)", 1))

    lattice = ask("lattice", "002_race_zip.yaml", "-k", "2")
    for name, k, why in [("[1,0]", "2 (k = 1, 2)", "each ZIP code occurs three times"),
                         ("[1,1]", "6", ""), ("[1,2]", "12 (k = *)", "")]:
        table = f"002_race_zip_gt_{name[1]}_{name[3]}.csv"
        made = release("002_race_zip.yaml", "-k", "1", "--level", f"Race={name[1]},ZIP={name[3]}")
        row("generalized table", f"rows of GT{name}", "12 of 12", equal_rows(made, table))
        row("", f"largest k of GT{name}", k, check(table, "Race,ZIP")["k"], why=why)
    row("minimal generalization", "for k = 2", "[0,1], [1,0]", nodes(lattice))
    tried = ask("anonymize", "002_race_zip.yaml", "-k", "2", "--suppress", "2", "--suppressed",
                "exempt", "--method", "samarati", "--dry-run")
    row("Find_vector", "largest height", "3", max(n["height"] for n in lattice["lattice"]))
    row("", "height of the solution, k = 2, MaxSup = 2", "1", tried["utility"]["height"],
        note="heights 1 and 0 are tried; the slides show 2 after these, where their algorithm has ended")
    row("distances", "D(R1, Z1)", "1.5", node(lattice, 1, 1)["utility"]["relative_height"])
    row("", "D(R0, Z2)", "1", f"{node(lattice, 0, 2)['utility']['relative_height']:g}")
    row("steps", "loss of [1,1]", "2", f"{node(lattice, 1, 1)['utility']['height']:g}")
    row("", "each step twice the last: [1,2]", None,
        f"{node(lattice, 1, 2)['utility']['doubling_height']:g}", note="`doubling_height`; no value is printed")
    row("which to pick", "four criteria", None, "",
        note="`--prefer absolute|relative|distribution|suppression`")

def slides_measures():
    dm = ask("utility", "002_dm.yaml", "002_dm_release.csv")["utility"]["discernibility"]
    row("discernibility", "DM", "10 (2² + 2² + 1 + 1 by the formula)", f"{dm:g}")
    def bits(values):
        table = "x,y\n" + "".join(f"x,{value}\n" for value in values)
        found = ask("check", "-", "--qi", "x", "--sensitive", "y", given=table)
        return f"{math.log2(found['attributes']['y']['entropy_l']):.3f}".rstrip("0").rstrip(".")
    row("entropy", "of a coin", "1", bits(["head", "tail"]))
    row("", "of a die", "2.585", bits(range(1, 7)))
    def distortion(table):
        return ask("utility", "002_entropy.yaml", table)["utility"]["entropy_distortion"]
    row("distortion", "all suppressed", "1", f"{distortion('002_entropy_all.csv'):g}")
    row("", "H after Gender is suppressed", "1.585",
        f"{math.log2(6) * (1 - distortion('002_entropy_gender.csv')):.3f}")
    row("", "Gender suppressed", f"{1 / math.log2(6):.4f} (1 / log2 6)",
        f"{distortion('002_entropy_gender.csv'):.4f}")
    row("loss metric, most general table, pictures of lattices", "", None, "", note="lost")
    row("the prize of a film rental", "", None, "", note="an article; its numbers are of no table")

def campan_truta(folder):
    section("A. Campan, T. M. Truta, Extended p-sensitive k-anonymity (2006)", "Document 004.")
    table = check("004_table1.csv", "Age,ZipCode,Gender", "--sensitive", "Illness", "--p-sensitive",
                  "2")
    row("table 1", "k", "2", table["k"])
    row("", "rows that break 2-sensitivity: r4, r5", "2", table["models"][0]["violating_rows"])
    attack = ask("attack", "004_table1.csv", "004_table2.csv", "--qi", "Age,ZipCode,Gender",
                 "--sensitive", "Illness", "--identifier", "Name")
    row("table 2", "persons who match one row", "0", attack["unique_matches"])
    row("", "persons whose illness is learnt: Sam, Eric", "2", attack["disclosed"]["Illness"])
    row("table 4", "", None, "", note="below, on samples of the public table")
    row("figures 1, 2, 3", "hierarchies", None, "", note="lost; examples/psensitive has its own")

    subprocess.run([os.path.join(source, "examples", "psensitive", "run"), mingle, folder],
                   stdout=subprocess.PIPE, check=True)
    adults = os.path.join(folder, "adults.csv")
    row("conditions 1, 2, 3", "", None, "", note="tested before a search; see p-sensitivity.md")
    found = check(adults, "Age,Marital_Status,Race,Sex")
    row("section 5", "records", "400", found["rows"])
    sizes = ask("hierarchy", "check", adults,
                *(word for c in ["Pay", "Capital_Gain", "Capital_Loss", "Tax_Amount"]
                  for word in ["--hierarchy", f"{c}=suppress"]))
    row("", "values of Pay, Capital_Gain, Capital_Loss, Tax_Amount", "2, 3, 4, 10",
        ", ".join(str(h["leaves"]) for h in sizes["hierarchies"]))
    row("table 3", "generalizations of Age, Marital_Status, Race, Sex", "3, 2, 3, 1",
        heights(adults, *(word for c, name in [("Age", "age.csv"), ("Marital_Status", "marital.csv"),
                                               ("Race", "race.csv"), ("Sex", None)]
                          for word in ["--hierarchy", f"{c}={os.path.join(folder, name)}" if name
                                       else f"{c}=suppress"])))

def table_4():
    """On samples of the public table; without it the lines are those of the page as it is."""
    print(TABLE_4)
    if os.path.exists(ADULT):
        print("\n".join(table4.lines(mingle, ADULT, 1000)))
        return
    sys.stderr.write(f"{ADULT} is not there: table 4 is not made anew\n")
    with open(os.path.join(source, "docs", "papers.md"), encoding="utf-8") as page:
        print(page.read().split(TABLE_4 + "\n")[1].split("\n\n")[0])

TABLE_4 = """
### Table 4
1,000 samples of 400 rows of the public Adult table ([scripts/table4.py](../scripts/table4.py)): age, marital status, race and sex are the quasi-identifier, with the paper's table 3 as hierarchies; Pay is the salary class. Gains, losses and taxes of the paper are not in the file and are drawn evenly from the 3, 4 and 10 values that it names. Tuples and groups of tuples that break p-sensitivity, least, median and most of the samples:
"""

WHY_TABLE_4 = """
Most printed figures are such as a sample of the table has. Of those that are not:
- **Pay, k = 3**, 12 groups of 38 tuples: no sample comes near. Three quarters of the table have the same Pay, which goes with age and marital status, so a third to a half of all groups of three or four people have one value. Even two values of the same frequency would leave one in four of some 120 groups, 30, without a second one. Either the paper's rows have another Pay than the salary class of the table, or its clustering looked at it; the paper does not say.
- **Capital_Gain, k = 5**, 31 groups of 164 tuples: 31 of 80 groups is what chance gives where every group has exactly five rows and three values are equally frequent (38 % of them lack a value); so is 12 at k = 3. Here clusters that read alike in the release are one group, which has more than k rows on average and lacks values less often. **Tax_Amount** at k = 5 lies at the upper edge for the same reason.
- **Samarati's search**: the paper prints neither p, nor whether tuples or groups are counted and of which columns, nor how many rows could be suppressed. Here p is 2, groups of all four columns are added up, and a tenth of the rows may go; a larger limit leaves fewer groups to count. So these two rows compare little: that at k = 2 all samples have more than the printed 6 may be due to any of these choices.

The paper closes with an open question: what the conditions cost in time. Searching the whole table (30,162 rows) with p-sensitivity and extended p-sensitivity takes 1.4 to 1.7 times the processor time of the same search for k alone, reading included, with Samarati's search and with clustering alike, and 1.1 to 1.2 times that for 2,000 rows (`scripts/table4.py MINGLE ADULT.csv --time`; sums of ten runs). The time goes into the histograms of the confidential values that every class carries; conditions 1 and 2 are tested once, before the search, and the third leaves nodes out where nothing may be suppressed."""

print("""# The papers, figure by figure

This page is made by `scripts/papers build/mingle` and compared with that by a test. It lists every figure, table and number of the documents that the project starts from, with what `mingle` finds for it. The tables are typed in [tests/seeds](../tests/seeds), whose README has the arithmetic of the differences. [compare.md](compare.md) looks at Sweeney's comparison of methods, [examples/psensitive](../examples/psensitive) at the experiment of Campan and Truta, [models-explained.md](models-explained.md) at the attacks.

*Printed* is what the document says; where it gives a formula, what stands in brackets is its meaning. *Here* is what the program answers when it is asked, rounded as printed. "8 of 8" are rows that are equal to the printed ones.""")
sweeney()
sweeney_figure_7()
notes()
slides()
slides_measures()
with tempfile.TemporaryDirectory() as folder:
    campan_truta(folder)
table_4()
print(WHY_TABLE_4)
print(f"\n{n_same} values are the same, {n_different} differ.")
if mistakes:
    sys.exit("\n".join(mistakes))
