/* Builders that know their values: orders, codes of ICD-10, countries, places on a grid. */
#include "test_hierarchy.h"

static void an_order_groups_neighbours(void **state)
{
    (void)state;
    expect_of("order(a < b < c < d < e; 2,4)", "e|a|c",
              "a;a..b;a..d;*\nb;a..b;a..d;*\nc;c..d;a..d;*\nd;c..d;a..d;*\ne;e;e;*\n");
    /* Without sizes they double as long as there are two groups. */
    expect_of("order(a<b<c)", "a|b|c", "a;a..b;*\nb;a..b;*\nc;c;*\n");
    expect_of("order(a < b)", "a|b", "a;*\nb;*\n");
    expect_of("order(\"<5\" < \"5;6\" < \" 7\"; 2)", "<5|5;6| 7",
              "<5;\"<5..5;6\";*\n\"5;6\";\"<5..5;6\";*\n 7; 7;*\n");
}

static void an_order_comes_from_a_file(void **state)
{
    (void)state;
    char spec[120];
    scratch_file file = text_file("low\n\n  mid  \n\"high, very\"\r\nNA\n");
    snprintf(spec, sizeof spec, "order(%s; 2)", file.path);
    expect_of(spec, "low|high, very|(missing)NA",
              "low;low..mid;*\nmid;low..mid;*\nhigh, very;high, very;*\nNA;NA;*\n");
    expect_refusal(spec, "low|other", MGL_DATA,
                   "the value 'other' of column 'col' does not stand in the order");
    mgl_span path = mgl_hierarchy_path(spec);
    assert_int_equal(path.size, strlen(file.path));
    assert_int_equal(mgl_hierarchy_path("order(a < b; 2)").size, 0);
    drop_file(&file);
    file = text_file("low\nhigh\nlow\n");
    snprintf(spec, sizeof spec, "order(%s)", file.path);
    expect_refusal(spec, "low", MGL_DATA, ":3: 'low' stands in the order on line 1 already");
    drop_file(&file);
}

static void orders_that_cannot_be_are_refused(void **state)
{
    (void)state;
    expect_refusal("order(a < b; 3,5)", "a|b", MGL_USAGE, "'5' is no number of neighbours");
    expect_refusal("order(a < b; 1)", "a|b", MGL_USAGE, "'1' is no number of neighbours");
    expect_refusal("order(a < b; )", "a|b", MGL_USAGE, "'' is no number of neighbours");
    expect_refusal("order(a < < b)", "a|b", MGL_USAGE, "a value is missing beside '<'");
    expect_refusal("order(a < b <)", "a|b", MGL_USAGE, "a value is missing beside '<'");
    expect_refusal("order(a < *)", "a", MGL_USAGE, "'*' is the name of the top");
    expect_refusal("order(a < b..c)", "a", MGL_USAGE, "'b..c' holds '..'");
    expect_refusal("order(a < \"b)", "a", MGL_USAGE, "a double quote is not closed");
    expect_refusal("order(a < \xff)", "a", MGL_USAGE, "not written in UTF-8");
    expect_refusal("order(a < b < a)", "a", MGL_USAGE, "'a' stands in the order already");
    expect_refusal("order(/nowhere/order.txt)", "a", MGL_DATA, "/nowhere/order.txt");
}

static void icd10_goes_from_code_to_chapter(void **state)
{
    (void)state;
    expect_of("icd10", "E11.9|E119|e11|I10|A00.0",
              "A00.0;A00.-;A00-A09;A00-B99;*\nE11.9;E11.-;E10-E14;E00-E90;*\n"
              "E119;E11.-;E10-E14;E00-E90;*\nI10;I10.-;I10-I15;I00-I99;*\n"
              "e11;E11.-;E10-E14;E00-E90;*\n");
    /* Where all codes are categories, that level would join nothing. */
    expect_of("icd10", "D48|D50|(missing)", "D48;D37-D48;C00-D48;*\nD50;D50-D53;D50-D89;*\n;;;*\n");
    expect_of("icd10(category,chapter)", "X85|Y09.1",
              "X85;X85.-;V01-Y98;*\nY09.1;Y09.-;V01-Y98;*\n");
    expect_of("icd10(block)", "X84|X85|Y09|Y10",
              "X84;X60-X84;*\nX85;X85-Y09;*\nY09;X85-Y09;*\nY10;Y10-Y34;*\n");
}

static void icd10_places_codes_of_modifications(void **state)
{
    (void)state;
    expect_of("icd10(block,chapter)",
              "C7A.010|C4A.9|D49|E08.9|S72.001A|S72001A|M1A.0|G63.2*|E10.4+|U07.1!|"
              "A97.9\xe2\x80\xa0|Z3A.20|U60.1",
              "A97.9\xe2\x80\xa0;A90-A99;A00-B99;*\nC4A.9;C43-C44;C00-D48;*\n"
              "C7A.010;C7A.-;C00-D48;*\nD49;D49.-;C00-D48;*\nE08.9;E10-E14;E00-E90;*\n"
              "E10.4+;E10-E14;E00-E90;*\nG63.2*;G60-G64;G00-G99;*\nM1A.0;M05-M14;M00-M99;*\n"
              "S72.001A;S70-S79;S00-T98;*\nS72001A;S70-S79;S00-T98;*\nU07.1!;U00-U49;U00-U99;*\n"
              "U60.1;U60.-;U00-U99;*\nZ3A.20;Z30-Z39;Z00-Z99;*\n");
}

static void icd10_refuses_what_is_no_code(void **state)
{
    (void)state;
    static const char *const none[] = {"E1",        "E",      "119", "EE1",   "E11.",       "E11.-",
                                       "E11.12345", "E11..9", "D90", "E11 9", "R\xc3\xa4 1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char words[80];
        snprintf(words, sizeof words, "the value '%s' is no code of ICD-10", none[i]);
        expect_refusal("icd10", none[i], MGL_USAGE, words);
    }
    expect_refusal("icd10(block,category)", "E11", MGL_USAGE,
                   "'category' is no level that comes here; the levels are, in this order, "
                   "category,block,chapter");
    expect_refusal("icd10(letter)", "E11", MGL_USAGE, "'letter' is no level");
    expect_refusal("icd10(block,block)", "E11", MGL_USAGE, "'block' is no level");
}

static void icd9_goes_from_code_to_chapter(void **state)
{
    (void)state;
    expect_of("icd9", "250.02|25002|V30.00|v3000|E850.0|E8500|008.45",
              "008.45;008.-;001-009;001-139;*\n250.02;250.-;249-259;240-279;*\n"
              "25002;250.-;249-259;240-279;*\nE850.0;E850.-;E850-E858;E000-E999;*\n"
              "E8500;E850.-;E850-E858;E000-E999;*\nV30.00;V30.-;V30-V39;V01-V91;*\n"
              "v3000;V30.-;V30-V39;V01-V91;*\n");
    /* Zeros in front that a spreadsheet dropped; no code is longer than its category. */
    expect_of("icd9", "8|38|042|(missing)",
              "8;001-009;001-139;*\n38;030-041;001-139;*\n042;042-042;001-139;*\n;;;*\n");
    expect_of("icd9(category)", "8.45|38.1|E001", "38.1;038.-;*\n8.45;008.-;*\nE001;E001.-;*\n");
    expect_of("icd9(block)", "326|327|633|634|V06|V07|E848|E849|E978|E979",
              "326;320-326;*\n327;327-327;*\n633;630-633;*\n634;634-639;*\n"
              "E848;E846-E848;*\nE849;E849-E849;*\nE978;E970-E978;*\nE979;E979-E979;*\n"
              "V06;V01-V06;*\nV07;V07-V09;*\n");
    /* The ends of blocks and chapters; a category of no block is one by itself. */
    expect_of("icd9(block,chapter)", "139|140|209.0|239|999|E000|E030|E999|V91|043|745",
              "043;043.-;001-139;*\n139;137-139;001-139;*\n140;140-149;140-239;*\n"
              "209.0;209-209;140-239;*\n239;239-239;140-239;*\n745;740-759;740-759;*\n"
              "999;996-999;800-999;*\nE000;E000-E000;E000-E999;*\nE030;E001-E030;E000-E999;*\n"
              "E999;E990-E999;E000-E999;*\nV91;V91-V91;V01-V91;*\n");
}

static void icd9_refuses_what_is_no_code(void **state)
{
    (void)state;
    static const char *const none[] = {
        "000",     "0",   "250.",   "250.123", "250123", "V1",    "V00",     "E031", "V92", "E85",
        "E850.00", "A00", "25.1.2", "250,1",   "-250",   "250 1", "E1000.1", "V",    ".5",  "V9.1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char words[80];
        snprintf(words, sizeof words, "the value '%s' is no diagnosis of ICD-9", none[i]);
        expect_refusal("icd9", none[i], MGL_USAGE, words);
    }
    expect_refusal("icd9(block,category)", "250", MGL_USAGE,
                   "'category' is no level that comes here");
}

static void codes_begin_with_the_codes_of_their_groups(void **state)
{
    (void)state;
    expect_of("isco", "2221|2222|3112|110|(missing)",
              "110;011;01;0 Armed forces occupations;*\n"
              "2221;222;22;2 Professionals;*\n2222;222;22;2 Professionals;*\n"
              "3112;311;31;3 Technicians and associate professionals;*\n;;;;*\n");
    expect_of("isco", "9629.1|9629-2",
              "9629-2;9629;962;96;9 Elementary occupations;*\n"
              "9629.1;9629;962;96;9 Elementary occupations;*\n");
    expect_of("isco(major)", "2221|22|2",
              "2;2 Professionals;*\n22;2 Professionals;*\n2221;2 Professionals;*\n");
    expect_of("isced", "354|ED35|ISCED 3|0|8|9",
              "0;0;0 Early childhood education;0-2 Low;*\n"
              "354;35;3 Upper secondary education;3-4 Medium;*\n"
              "8;8;8 Doctoral or equivalent level;5-8 High;*\n"
              "9;9;9 Not elsewhere classified;9 Not elsewhere classified;*\n"
              "ED35;35;3 Upper secondary education;3-4 Medium;*\n"
              "ISCED 3;3;3 Upper secondary education;3-4 Medium;*\n");
    /* Zeros that a spreadsheet dropped; 104 is narrow, since no field is called 010. */
    expect_of("iscedf(broad)", "0613|613|6|061|104|1041|9999",
              "6;06 Information and Communication Technologies;*\n"
              "061;06 Information and Communication Technologies;*\n"
              "104;10 Services;*\n0613;06 Information and Communication Technologies;*\n"
              "613;06 Information and Communication Technologies;*\n"
              "1041;10 Services;*\n9999;99 Field unknown;*\n");
    expect_of("nace", "10.11|C10.12|c 1013|1.11|01.12",
              "01.12;01.1;01;A Agriculture, forestry and fishing;*\n"
              "1.11;01.1;01;A Agriculture, forestry and fishing;*\n"
              "10.11;10.1;10;C Manufacturing;*\nC10.12;10.1;10;C Manufacturing;*\n"
              "c 1013;10.1;10;C Manufacturing;*\n");
    expect_of("nace(class,section)", "10.11.0|10.11Z|62010|62.01",
              "10.11.0;10.11;C Manufacturing;*\n10.11Z;10.11;C Manufacturing;*\n"
              "62.01;62.01;J Information and communication;*\n"
              "62010;62.01;J Information and communication;*\n");
    expect_of("nace21(section)", "46.11|K62.10|60.10",
              "46.11;G Wholesale and retail trade;*\n"
              "60.10;J Publishing, broadcasting, and content production and distribution "
              "activities;*\nK62.10;K Telecommunication, computer programming, consulting "
              "and related activities;*\n");
    expect_of("atc", "N02B E01|n02ba01|A10BA02",
              "A10BA02;A10BA;A10B;A10;A Alimentary tract and metabolism;*\n"
              "N02B E01;N02BE;N02B;N02;N Nervous system;*\n"
              "n02ba01;N02BA;N02B;N02;N Nervous system;*\n");
    expect_of("nuts", "DE212|de211|EL30|ITC4C",
              "DE212;DE21;DE2;DE Germany;*\nEL30;EL30;EL3;EL Greece;*\n"
              "ITC4C;ITC4;ITC;IT Italy;*\nde211;DE21;DE2;DE Germany;*\n");
}

static void what_is_no_code_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *builder, *needs, *values[10];
    } none[] = {
        {"isco", "is no code of ISCO-08", {"A221", "2221x1", "22.1", "-221"}},
        {"isced", "is no level of ISCED 2011", {"1234", "E3", "ED", "3.5", "low"}},
        {"iscedf", "is no field of ISCED-F 2013", {"1201", "0613.", "06130000000", "IT"}},
        /* 161 may be 16.1 or 01.61; 04 and 45 of Rev. 2.1 do not exist; D is not 10 */
        {"nace",
         "is no code of NACE Rev. 2 ",
         {"161", "04", "D10.11", "10.", "C", "10.1x", "1011.12345678"}},
        {"nace21", "is no code of NACE Rev. 2.1", {"45.11", "J62.10"}},
        {"atc", "is no code of ATC", {"E01", "N0", "N02BE0", "N02BE011", "N02BE01 1", "02NBE01"}},
        {"nuts", "is no region of NUTS", {"D", "US123", "DE2123", "GR300", "DE-21"}},
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        for (size_t j = 0; none[i].values[j] != NULL; j++) {
            char words[120];
            snprintf(words, sizeof words, "the value '%s' %s", none[i].values[j], none[i].needs);
            expect_refusal(none[i].builder, none[i].values[j], MGL_USAGE, words);
        }
    expect_refusal("nuts(country,nuts1)", "DE212", MGL_USAGE,
                   "'nuts1' is no level that comes here; the levels are, in this order, "
                   "nuts2,nuts1,country");
}

static void countries_go_to_regions(void **state)
{
    (void)state;
    expect_of("iso3166", "DE|deu|276|Germany|JP|(missing)NA",
              "276;Western Europe;Europe;*\nDE;Western Europe;Europe;*\n"
              "Germany;Western Europe;Europe;*\nJP;Eastern Asia;Asia;*\n"
              "deu;Western Europe;Europe;*\nNA;NA;NA;*\n");
    expect_of("iso3166(intermediate,subregion,region)", "KE|BR|AQ|FR|US",
              "AQ;Antarctica;Antarctica;Antarctica;*\n"
              "BR;South America;Latin America and the Caribbean;Americas;*\n"
              "FR;Western Europe;Western Europe;Europe;*\n"
              "KE;Eastern Africa;Sub-Saharan Africa;Africa;*\n"
              "US;Northern America;Northern America;Americas;*\n");
    /* Names: articles, accents, case and signs do not count. */
    expect_of(
        "iso3166(region)",
        "Bahamas (the)|Korea (the Republic of)|South Korea|C\xc3\xb4te d'Ivoire|cote d ivoire|"
        "UNITED-STATES|United States of America (the)|UK|T\xc3\xbcrkiye|Turkey|4|004",
        "004;Asia;*\n4;Asia;*\nBahamas (the);Americas;*\nC\xc3\xb4te d'Ivoire;Africa;*\n"
        "Korea (the Republic of);Asia;*\nSouth Korea;Asia;*\nTurkey;Asia;*\n"
        "T\xc3\xbcrkiye;Asia;*\nUK;Europe;*\nUNITED-STATES;Americas;*\n"
        "United States of America (the);Americas;*\ncote d ivoire;Africa;*\n");
    expect_refusal("iso3166", "XX", MGL_USAGE, "the value 'XX' is no country of ISO 3166-1");
    expect_refusal("iso3166", "999", MGL_USAGE, "the value '999' is no country");
    expect_refusal("iso3166", "Atlantis", MGL_USAGE, "the value 'Atlantis' is no country");
    expect_refusal("iso3166(continent)", "DE", MGL_USAGE, "'continent' is no level");
}

static void grids_of_degrees_are_exact(void **state)
{
    (void)state;
    expect_of("grid(0.1,1)",
              "52.52,13.405|52.5 13.4|(-0.05, -0.3)|0.3;0.7|[-33.87, 151.21]|52,5 13,4",
              "(-0.05, -0.3);-0.1..0 -0.3..-0.2;-1..0 -1..0;*\n"
              "\"0.3;0.7\";0.3..0.4 0.7..0.8;0..1 0..1;*\n"
              "52,5 13,4;52.5..52.6 13.4..13.5;52..53 13..14;*\n"
              "52.5 13.4;52.5..52.6 13.4..13.5;52..53 13..14;*\n"
              "52.52,13.405;52.5..52.6 13.4..13.5;52..53 13..14;*\n"
              "[-33.87, 151.21];-33.9..-33.8 151.2..151.3;-34..-33 151..152;*\n");
    /* Cells end at the poles and at 180 degrees, which is -180. */
    expect_of("grid(7)", "90,180|-90,-180|90,-180",
              "-90,-180;-90..-84 -180..-175;*\n90,-180;84..90 -180..-175;*\n"
              "90,180;84..90 -180..-175;*\n");
    expect_of("grid(lat; 5,10)", "52.5|90|-90",
              "-90;-90..-85;-90..-80;*\n"
              "52.5;50..55;50..60;*\n90;85..90;80..90;*\n");
    expect_of("grid(lon; 20)", "180|-180|0", "-180;-180..-160;*\n0;0..20;*\n180;-180..-160;*\n");
}

static void grids_of_kilometres_shrink_degrees_towards_the_poles(void **state)
{
    (void)state;
    expect_of("grid(100km)", "0,0|60,0|89.99,0",
              "0,0;0..0.8993 0..0.9;*\n60,0;59.3551..60.2545 0..1.8182;*\n"
              "89.99,0;89.932..90 -180..180;*\n");
    expect_of("grid(lat; 10km,100km)", "52.52", "52.52;52.43038..52.52031;52.1606..53.0599;*\n");
    expect_of("grid(lon at 60; 100km)", "10", "10;9..10.8;*\n");
}

static void grids_refuse_what_they_cannot_place(void **state)
{
    (void)state;
    expect_refusal("grid(1)", "52.5", MGL_USAGE, "the value '52.5' is no place");
    expect_refusal("grid(1)", "91,0", MGL_USAGE, "the value '91,0' is no place");
    expect_refusal("grid(1)", "0,181", MGL_USAGE, "the value '0,181' is no place");
    expect_refusal("grid(1)", "POINT(1 2)", MGL_USAGE, "is no place");
    expect_refusal("grid(lat; 1)", "91", MGL_USAGE, "the value '91' is no latitude");
    expect_refusal("grid(lon; 1)", "x", MGL_USAGE, "the value 'x' is no longitude");
    expect_refusal("grid(lon; 10km)", "1", MGL_USAGE, "grid(lon at 52.5; 10km)");
    expect_refusal("grid(lon at 90; 10km)", "1", MGL_USAGE, "'90' is no latitude between");
    expect_refusal("grid(lon at 50; 10)", "1", MGL_USAGE, "a latitude is for sizes in kilometres");
    expect_refusal("grid(north; 1)", "1", MGL_USAGE, "'north' is not known here");
    expect_refusal("grid(1,10km)", "1,1", MGL_USAGE, "'10km' is in another unit");
    expect_refusal("grid(2,3)", "1,1", MGL_USAGE, "each a larger multiple");
    expect_refusal("grid(0)", "1,1", MGL_USAGE, "the sizes of the cells");
    expect_refusal("grid(0.00000001)", "1,1", MGL_USAGE, "the sizes of the cells");
    expect_refusal("grid(x)", "1,1", MGL_USAGE, "'x' is no number");
}

static void columns_need_the_table(void **state)
{
    (void)state;
    expect_refusal("columns(county,state)", "02138", MGL_USAGE, "which are not given here");
    mgl_span rest = mgl_hierarchy_columns("columns( zip, county ,state)"), name;
    assert_true(mgl_hierarchy_next_column(&rest, "zip", &name) && mgl_span_is(name, "county"));
    assert_true(mgl_hierarchy_next_column(&rest, "zip", &name) && mgl_span_is(name, "state"));
    assert_false(mgl_hierarchy_next_column(&rest, "zip", &name));
    assert_int_equal(mgl_hierarchy_columns("mask(right)").size, 0);
    assert_int_equal(mgl_hierarchy_columns("columns.csv").size, 0);
}

static void files_may_be_called_like_builders(void **state)
{
    (void)state;
    assert_true(mgl_hierarchy_is_builder("icd10"));
    assert_true(mgl_hierarchy_is_builder("iso3166(region"));
    assert_false(mgl_hierarchy_is_builder("icd10.csv"));
    assert_true(mgl_hierarchy_is_builder("icd9"));
    assert_false(mgl_hierarchy_is_builder("icd11"));
    assert_false(mgl_hierarchy_is_builder("data2(old)"));
    assert_true(mgl_hierarchy_is_builder("ordre(a)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_groups_neighbours),
        cmocka_unit_test(an_order_comes_from_a_file),
        cmocka_unit_test(orders_that_cannot_be_are_refused),
        cmocka_unit_test(icd10_goes_from_code_to_chapter),
        cmocka_unit_test(icd10_places_codes_of_modifications),
        cmocka_unit_test(icd10_refuses_what_is_no_code),
        cmocka_unit_test(icd9_goes_from_code_to_chapter),
        cmocka_unit_test(icd9_refuses_what_is_no_code),
        cmocka_unit_test(codes_begin_with_the_codes_of_their_groups),
        cmocka_unit_test(what_is_no_code_is_refused),
        cmocka_unit_test(countries_go_to_regions),
        cmocka_unit_test(grids_of_degrees_are_exact),
        cmocka_unit_test(grids_of_kilometres_shrink_degrees_towards_the_poles),
        cmocka_unit_test(grids_refuse_what_they_cannot_place),
        cmocka_unit_test(columns_need_the_table),
        cmocka_unit_test(files_may_be_called_like_builders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
