#include "places.h"

enum { MOST_ZIPS = 40 };

typedef struct {
    uint32_t first_zip, n_zips, inhabitants; // inhabitants in hundreds
    place_kind kind;
} town;

// Town names are invented; none is written to the table.
static const town towns[] = {
    {2101, 38, 6100, PLACE_CITY},     // Kingsharbor
    {2140, 6, 1050, PLACE_CITY},      // Eastbridge
    {2148, 4, 620, PLACE_CITY},       // Saltmarsh
    {2152, 3, 410, PLACE_SUBURB},     // Winnow Point
    {2155, 5, 560, PLACE_SUBURB},     // Meadford
    {2169, 4, 930, PLACE_MILL_TOWN},  // Quarry Bay
    {2176, 3, 280, PLACE_SUBURB},     // Melbourne Hill
    {2180, 2, 210, PLACE_SUBURB},     // Stoneleigh
    {2184, 5, 380, PLACE_SUBURB},     // Braeburn
    {2420, 3, 330, PLACE_SUBURB},     // Lexford
    {2445, 3, 590, PLACE_SUBURB},     // Brookmere
    {2451, 5, 620, PLACE_SUBURB},     // Waltonham
    {2458, 9, 850, PLACE_SUBURB},     // Newbury Falls
    {2474, 3, 430, PLACE_SUBURB},     // Arlingdale
    {2481, 3, 280, PLACE_SUBURB},     // Wellsey
    {2492, 3, 310, PLACE_SUBURB},     // Needle Hill
    {2301, 5, 980, PLACE_MILL_TOWN},  // Brockfield
    {2322, 2, 60, PLACE_COUNTRY},     // Avonlea
    {2324, 2, 270, PLACE_SUBURB},     // Bridgewell
    {2330, 3, 110, PLACE_COUNTRY},    // Carrow
    {2338, 4, 240, PLACE_COUNTRY},    // Halibut Cove
    {2345, 3, 90, PLACE_COUNTRY},     // Manomet Sands
    {2359, 5, 580, PLACE_SUBURB},     // Pilgrim's Landing
    {2366, 3, 70, PLACE_COUNTRY},     // Cranberry Bog
    {2370, 2, 170, PLACE_SUBURB},     // Rockwell
    {1701, 4, 690, PLACE_MILL_TOWN},  // Framing Green
    {1718, 4, 60, PLACE_COUNTRY},     // Acre Village
    {1730, 3, 150, PLACE_SUBURB},     // Bedmoor
    {1740, 8, 260, PLACE_COUNTRY},    // Boltham
    {1752, 2, 390, PLACE_MILL_TOWN},  // Marlow
    {1756, 6, 180, PLACE_COUNTRY},    // Mendham
    {1770, 8, 310, PLACE_COUNTRY},    // Sherwood
    {1801, 4, 420, PLACE_SUBURB},     // Woburn Mills
    {1810, 3, 340, PLACE_SUBURB},     // Andermere
    {1821, 3, 410, PLACE_SUBURB},     // Billerby
    {1830, 6, 660, PLACE_MILL_TOWN},  // Haverstock
    {1840, 4, 870, PLACE_MILL_TOWN},  // Lorne
    {1850, 5, 1130, PLACE_MILL_TOWN}, // Lowden
    {1860, 10, 330, PLACE_COUNTRY},   // Merrimoor
    {1876, 4, 300, PLACE_SUBURB},     // Tewkes
    {1880, 3, 260, PLACE_SUBURB},     // Wakeham
    {1901, 5, 1000, PLACE_MILL_TOWN}, // Lynne
    {1913, 3, 160, PLACE_COUNTRY},    // Amesby
    {1921, 4, 130, PLACE_COUNTRY},    // Boxgrove
    {1926, 3, 60, PLACE_COUNTRY},     // Essing
    {1930, 2, 290, PLACE_MILL_TOWN},  // Gloster
    {1936, 4, 120, PLACE_COUNTRY},    // Hamlet
    {1944, 2, 50, PLACE_COUNTRY},     // Manchester Sands
    {1950, 3, 180, PLACE_COUNTRY},    // Newport Neck
    {1960, 3, 540, PLACE_SUBURB},     // Peabridge
    {1965, 3, 150, PLACE_COUNTRY},    // Prideaux
    {1970, 2, 430, PLACE_SUBURB},     // Salemouth
    {1982, 4, 110, PLACE_COUNTRY},    // Wenlow
};

enum { N_TOWNS = sizeof towns / sizeof *towns };

place place_draw(random_source *source)
{
    uint32_t sizes[N_TOWNS];
    for (size_t i = 0; i < N_TOWNS; i++)
        sizes[i] = towns[i].inhabitants;
    const town *drawn = &towns[random_pick(source, sizes, N_TOWNS)];

    // The first ZIP of a town is its centre, the others shrink with their distance from it.
    uint32_t shares[MOST_ZIPS];
    for (uint32_t i = 0; i < drawn->n_zips; i++)
        shares[i] = 4000 / (i + 2);
    size_t zip = random_pick(source, shares, drawn->n_zips);
    return (place){.kind = drawn->kind, .zip = drawn->first_zip + (uint32_t)zip};
}
