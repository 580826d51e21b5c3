#!/usr/bin/env python3
"""Writes the stand-ins for ../shared: made-up tables, and golden values by the oracle.

    make.py [FOLDER]    writes to FOLDER instead of beside this file
    make.py --data FOLDER    the tables only, which takes no time"""
import os
import random
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
sys.path.insert(0, HERE)

# Column -> lines of its hierarchy, in the order of the table. The last value of some columns is
# one that no person has.
ADULT = {
    "sex": ["woman;*", "man;*"],
    "age": [f"{age};{age // 15 * 15}-{age // 15 * 15 + 14};*" for age in range(15, 90)],
    "race": ["north;*", "south;*", "east;*", "west;*"],
    "marital-status": ["single;*", "couple;*", "parted;*", "widowed;*"],
    "education": ["little;school;*", "primary;school;*", "secondary;school;*", "trade;work;*",
                  "college;study;*", "doctor;study;*"],
    "native-country": ["Aland;Isles;*", "Borno;Isles;*", "Corva;Coast;*", "Dune;Coast;*",
                       "Elba;Coast;*", "Fell;Hills;*", "Gorse;Hills;*", "Nowhere;Hills;*"],
    "workclass": ["state;*", "firm;*", "own;*", "none yet;*"],
    "occupation": ["nurse;care;*", "cook;care;*", "clerk;desk;*", "judge;desk;*", "mason;hands;*",
                   "smith;hands;*", "driver;hands;*"],
    "salary-class": ["low;*", "high;*"],
}


class Dice:
    """Draws that only need random(), whose numbers are the same in every version of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def skewed(self, values):
        """The first values are drawn most often."""
        return values[int(len(values) * self.random() ** 2)]


def write(folder, name, lines):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(line + "\n" for line in lines)


def adult(folder):
    dice = Dice(20)
    lines = [";".join(ADULT)]
    for _ in range(300):
        cells = []
        for name, tree in ADULT.items():
            values = [line.split(";")[0] for line in tree]
            if name == "age":
                cells.append(str(18 + dice.below(8) + dice.below(60) // (1 + dice.below(3))))
            else:
                used = values[:-1] if name in ("native-country", "workclass") else values
                cells.append(dice.skewed(used))
        lines.append(";".join(cells))
    write(folder, "data/adult/adult.csv", lines)
    for name, tree in ADULT.items():
        write(folder, f"data/adult/adult_hierarchy_{name}.csv", tree)


def ward(folder):
    """A table that was generalized already, with two columns that models can look at."""
    dice = Dice(21)
    lines = [",index,name,age,sex,town,days,illness"]
    for number in range(240):
        age = 20 + 10 * dice.below(4)
        lines.append(f'{number},{2 * number + 1},{names(dice)},"[{age}, {age + 10}[",'
                     f"{dice.skewed(['f', 'm'])},{dice.skewed(['Ayr', 'Bath', 'Cork'])},"
                     f"{dice.skewed([3, 1, 12, 7, 30])},{dice.skewed(['flu', 'cold', 'gout', 'burn'])}")
    write(folder, "data/pycanon/ward.csv", lines)


def names(dice):
    first = ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon"]
    last = ["Ash", "Birch", "Cole", "Dale", "Elm", "Ford", "Gale", "Hill", "Ives", "Judd", "Kerr"]
    return f"{first[dice.below(len(first))]} {last[dice.below(len(last))]}"


def survey(folder):
    """Households of one to five persons; what a household has, all its members have."""
    dice = Dice(22)
    lines = ["urbrur,roof,walls,water,electcon,relat,sex,age,income,savings,ori_hid,sampling_weight"]
    household = 0
    while len(lines) <= 260:
        household += 1
        common = [1 + dice.below(2), dice.skewed([4, 2, 5, 9]), dice.skewed([3, 2, 9]),
                  dice.skewed([3, 1, 2, 8]), dice.skewed([1, 4])]
        weight = dice.skewed([100, 40, 12.5])
        for person in range(1 + dice.below(5)):
            income = 100000 * dice.below(300)
            cells = common + [person + 1 if person < 3 else 9, 1 + dice.below(2), dice.below(90),
                              income, f"{income / 7 + 1000 * dice.random():.1f}", household, weight]
            lines.append(",".join(map(str, cells)))
    write(folder, "data/sdcmicro/survey.csv", lines)


def accounts(folder):
    """Amounts of many sizes that hang together, no two rows equal."""
    dice = Dice(23)
    lines = ["turnover,wages,tax,profit,assets"]
    for number in range(180):
        turnover = int(1000 * 40 ** dice.random()) * 10 + number % 10
        wages = int(turnover * (0.2 + 0.4 * dice.random()))
        tax = int(0.2 * (turnover - wages) * dice.random())
        profit = turnover - wages - tax - int(turnover * 0.5 * dice.random())
        lines.append(f"{turnover},{wages},{tax},{profit},{int(5000 * 30 ** dice.random())}")
    write(folder, "data/sdcmicro/accounts.csv", lines)


def weighted(folder):
    """Eight rows, to be counted by hand."""
    write(folder, "data/sdcmicro/eight.csv", [
        "colour,shape,w", "red,round,10", "red,round,20.5", "red,flat,8", "blue,flat,30",
        "blue,flat,5", "blue,flat,1", "green,round,90", "green,flat,2"])


def fixed_width(folder):
    dice = Dice(24)
    rows = []
    for _ in range(120):
        rows.append(f"{dice.skewed([11, 12, 21, 35]):4d}{1 + dice.below(2)}"
                    f"{20 + 5 * dice.below(9):2d}{dice.skewed([1, 2, 3, 7]):2d}")
    write(folder, "data/muargus/persons.asc", rows)
    metadata = []
    for name, place, width, missing, level, codes in [
            ("REGION", 1, 4, 9999, 1, None), ("SEX", 5, 1, 9, 2, None), ("AGE", 6, 2, 99, 3, None),
            ("ORIGIN", 8, 2, 99, 3, "origin.cdl")]:
        metadata += [f"{name} {place} {width} {missing}", "  <RECODABLE>"]
        metadata += [f'  <CODELIST> "{codes}"'] if codes else []
        metadata += [f"  <IDLEVEL> {level}"]
    write(folder, "data/muargus/persons.rda", metadata)
    write(folder, "data/muargus/origin.cdl",
          ["1,born here", "2,from the isles", "3,from overseas", "7,not told"])


def main():
    arguments = sys.argv[1:]
    only_data = arguments[:1] == ["--data"]
    folder = (arguments[only_data:] or [HERE])[0]
    for make in (adult, ward, survey, accounts, weighted, fixed_width):
        make(folder)
    if not only_data:
        import golden_values
        golden_values.write_all(folder, write)


if __name__ == "__main__":
    main()
