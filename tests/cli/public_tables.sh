#!/bin/bash
# Data sets about persons that come with R's packages: each is written as R writes it, advised,
# released, checked and attacked, and judged as the messy tables are (tests/messy/README.md).
# slow: packages of others, tables of many rows

# Package, set, and what is expected besides a release; R's row names never go out.
. "$(dirname "$0")/../support/by_hand.bash"
sets='
survival bladder1        entity id 118; secret id
survival cgd             entity id 128; secret id
survival colon           entity id 929; secret id
survival diabetic        entity id 197; secret id
survival gbsg            secret pid; never pid=insensitive|sensitive
survival heart           entity id 103; secret id
survival jasa            never birth.dt=insensitive
survival kidney          entity id 38; secret id
survival lung            role age=quasi; role sex=quasi
survival mgus            secret id; never id=insensitive|sensitive
survival mgus1           entity id 241; secret id
survival mgus2           secret id; never id=insensitive|sensitive
survival myeloid         secret id; never id=insensitive|sensitive
survival pbc             secret id; never id=insensitive|sensitive; never age=insensitive
survival pbcseq          entity id 312; secret id; never age=insensitive
survival retinopathy     entity id 197; secret id
survival rotterdam       secret pid; never pid=insensitive|sensitive
survival transplant      role age=quasi; role sex=quasi
survival udca            secret id; never id=insensitive|sensitive
survival veteran         role age=quasi
MASS     Aids2           role age=quasi; role sex=quasi
MASS     bacteria        entity ID 50; secret ID
MASS     birthwt         role age=quasi
MASS     biopsy          secret ID; never ID=insensitive|sensitive
MASS     epil            entity subject 59; secret subject
MASS     Melanoma        role age=quasi; role sex=quasi
MASS     Pima.te         role age=quasi
MASS     quine
MASS     survey          never Pulse=identifier
carData  Arrests         role age=quasi; role sex=quasi
carData  BEPS            role age=quasi; role gender=quasi
carData  Blackmore       entity subject 231; secret subject
carData  CES11           secret id
carData  Chile           role age=quasi; role sex=quasi
carData  Davis           role sex=quasi
carData  Mroz            role age=quasi
carData  Salaries        role sex=quasi; never salary=insensitive
carData  TitanicSurvival role age=quasi; role sex=quasi
carData  Wong            role age=quasi; role sex=quasi
ggplot2  midwest         secret PID; never PID=insensitive|sensitive
ggplot2  msleep          secret name
sdcMicro francdat
sdcMicro testdata        never savings=insensitive; reason ori_hid=(?i)household
sdcMicro CASCrefmicrodata job microaggregate
sdcMicro Tarragona       job microaggregate
'

if ! command -v Rscript >/dev/null; then
    echo "skipped: no Rscript"
    exit 77
fi

# The tables of the packages that are installed, as write.csv writes them.
mkdir tables
awk 'NF { print $1, $2 }' <<<"$sets" >wanted
Rscript --vanilla - >there <<'END'
wanted <- read.table("wanted", col.names = c("package", "set"))
for (i in seq_len(nrow(wanted))) {
    package <- wanted$package[i]
    set <- wanted$set[i]
    found <- new.env()
    if (!requireNamespace(package, quietly = TRUE)) next
    suppressWarnings(data(list = set, package = package, envir = found))
    table <- if (exists(set, found)) get(set, found) else
        tryCatch(getExportedValue(package, set), error = function(e) NULL)
    if (is.null(table)) next
    write.csv(as.data.frame(table), file.path("tables", paste0(set, ".csv")))
    cat(package, set, "\n")
}
END
if [ ! -s there ]; then
    echo "skipped: none of the packages survival, MASS, carData, ggplot2 is installed"
    exit 77
fi
while read -r package set expected; do
    [ -n "$set" ] || continue
    if ! grep -q "^$package $set " there; then
        echo "# skipped: $package::$set is not installed"
        continue
    fi
    { echo 'secret ""'; tr ';' '\n' <<<"$expected" | sed 's/^ *//'; } >"tables/$set.expect"
done <<<"$sets"

export PYTHONDONTWRITEBYTECODE=1 MINGLE=$MINGLE_RELEASE # these are larger than the messy ones
exec python3 "$SOURCE/tests/messy/judge.py" --folder "$PWD/tables" "$@"
