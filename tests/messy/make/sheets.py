"""Workbooks as Excel and others save them, written part by part."""
import io
import zipfile

from people import PATIENT, patients

TYPES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
%s<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>
<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>
</Types>"""
RELATIONS = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s</Relationships>"""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
# Style 1 is a day, style 2 a day with a time (built-in formats 14 and 22), style 3 one of its own.
STYLES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet %s><numFmts count="1"><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts>
<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>
<xf numFmtId="22" applyNumberFormat="1"/><xf numFmtId="170" applyNumberFormat="1"/></cellXfs>
</styleSheet>""" % MAIN


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Book:
    """Sheets of cells; texts are shared."""

    def __init__(self):
        self.texts, self.sheets = [], []

    def shared(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return '<c r="%%s" t="s"><v>%d</v></c>' % self.texts.index(text)

    def cell(self, value):
        """A cell with %s for its address: a text, a number, or XML as it is (bytes)."""
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, str):
            return self.shared(value)
        return '<c r="%%s"><v>%s</v></c>' % value

    def add(self, name, rows):
        lines = []
        for i, row in enumerate(rows):
            cells = "".join(self.cell(value) % ("%s%d" % (chr(65 + j), i + 1))
                            for j, value in enumerate(row) if value is not None)
            lines.append('<row r="%d">%s</row>' % (i + 1, cells))
        self.sheets.append((name, "".join(lines)))

    def data(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            def part(path, text):
                archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), text,
                                 zipfile.ZIP_DEFLATED)
            part("[Content_Types].xml", TYPES % "".join(
                '<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.'
                'openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>\n' % (i + 1)
                for i in range(len(self.sheets))))
            part("_rels/.rels", RELATIONS % (
                '<Relationship Id="rId1" Type="%sofficeDocument" Target="xl/workbook.xml"/>' % OFFICE))
            part("xl/workbook.xml", '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
                 '<workbook %s xmlns:r="%s"><sheets>%s</sheets></workbook>' % (
                     MAIN, OFFICE.rstrip("/"), "".join(
                         '<sheet name="%s" sheetId="%d" r:id="rId%d"/>' % (name, i + 1, i + 1)
                         for i, (name, _) in enumerate(self.sheets))))
            n = len(self.sheets)
            part("xl/_rels/workbook.xml.rels", RELATIONS % ("".join(
                '<Relationship Id="rId%d" Type="%sworksheet" Target="worksheets/sheet%d.xml"/>'
                % (i + 1, OFFICE, i + 1) for i in range(n)) +
                '<Relationship Id="rId%d" Type="%sstyles" Target="styles.xml"/>' % (n + 1, OFFICE) +
                '<Relationship Id="rId%d" Type="%ssharedStrings" Target="sharedStrings.xml"/>'
                % (n + 2, OFFICE)))
            part("xl/styles.xml", STYLES)
            part("xl/sharedStrings.xml", '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
                 '<sst %s count="%d" uniqueCount="%d">%s</sst>' % (
                     MAIN, len(self.texts), len(self.texts), "".join(
                         "<si><t xml:space=\"preserve\">%s</t></si>" % escaped(t)
                         for t in self.texts)))
            for i, (_, lines) in enumerate(self.sheets):
                part("xl/worksheets/sheet%d.xml" % (i + 1),
                     '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
                     '<worksheet %s><sheetData>%s</sheetData></worksheet>' % (MAIN, lines))
        return out.getvalue()


def excel(chance):
    """Ages are numbers, all else shared texts; the ZIP codes keep their zeros as text."""
    book = Book()
    rows = patients(chance, 60)
    for row in rows:
        row[2] = "0" + row[2][1:]
    book.add("Patients", [PATIENT] + rows)
    return book.data()


def excel_kinds(chance):
    """Days, moments, inline texts, rich text, formulas, booleans, empty cells, a second sheet."""
    book = Book()
    rows = [["birth", "admitted", "sex", "zip", "diagnosis", "double", "agreed"]]
    for age, sex, zip_code, diagnosis in patients(chance, 60):
        born = 20000 + chance.below(15000)
        seen = 43831 + chance.below(700) + chance.below(24) / 24
        rows.append([
            ('<c r="%%s" s="%d"><v>%d</v></c>' % (chance.pick([1, 3]), born)).encode(),
            ('<c r="%%s" s="2"><v>%.10g</v></c>' % seen).encode(),
            ('<c r="%%s" t="inlineStr"><is><t>%s</t></is></c>' % sex).encode(),
            zip_code,
            None if chance.chance(.05) else
            ('<c r="%%s" t="inlineStr"><is><r><t>%s</t></r><r><t>%s</t></r></is></c>'
             % (diagnosis[:2], diagnosis[2:])).encode(),
            ('<c r="%%s"><f>2*%d</f><v>%d</v></c>' % (age, 2 * age)).encode(),
            ('<c r="%%s" t="b"><v>%d</v></c>' % chance.below(2)).encode()])
    book.add("Read me", [["This sheet says nothing."]])
    book.add("Data", rows)
    return book.data()


def excel_error(chance):
    """Cell C7 is an error."""
    book = Book()
    rows = [list(PATIENT)] + patients(chance, 30)
    rows[6][2] = b'<c r="%s" t="e"><v>#DIV/0!</v></c>'
    book.add("Patients", rows)
    return book.data()


TABLES = {"excel.xlsx": excel, "excel_kinds.xlsx": excel_kinds, "excel_error.xlsx": excel_error}
