/* Keys that name what a command reads and where its release goes: rows of the table in keys.c. */
#include "job/keys/key_rows.h"

#include "job/keys/values.h"

static const mgl_key rows[] = {
    {.name = "data",
     .value = "FILE",
     .commands = MGL_FOR_ALL | MGL_REPORT | MGL_SHOW_RECODING | MGL_CODEBOOK,
     .of_session = true,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, data),
     .help = "the table to read (`help formats`), or the result of report; - is standard "
             "input"},
    {.name = "shards",
     .value = "FILE",
     .commands = MGL_FOR_MODELS | MGL_RISK,
     .of_session = true,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, shards),
     .help = "the table lies in several databases of PostgreSQL: one location a line; each counts "
             "and releases its rows itself, to `output` shards:?table=NAME"},
    {.name = "release",
     .value = "FILE",
     .commands = MGL_UTILITY | MGL_CODEBOOK,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, release),
     .help = "the release to compare with the data; codebook: the one that the result tells of"},
    {.name = "against",
     .value = "RESULT.json",
     .commands = MGL_FOR_JUDGING | MGL_UTILITY | MGL_ATTACK,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, against),
     .help = "check: compare with what a result claims about the release; roles and models are its "
             "own. utility, attack: take its roles and hierarchies"},
    {.name = "proof",
     .value = "FILE",
     .commands = MGL_CHECK,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, proof),
     .help = "check what `save-proof` wrote: that it proves the bound of the result (`against`); "
             "with data, that it is about this table"},
    {.name = "external",
     .value = "FILE",
     .commands = MGL_ATTACK,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, external),
     .help = "the table that names persons"},
    {.name = "output",
     .value = "FILE",
     .commands = MGL_FOR_RELEASES | MGL_HIERARCHY | MGL_RISK | MGL_COUNT | MGL_APPLY | MGL_REPORT |
                 MGL_SHOW_RECODING | MGL_CODEBOOK,
     .kind = MGL_KEY_OUTPUT,
     .place = offsetof(mgl_settings, output),
     .help = "the file to write (a release: `help formats`); - is standard output"},
    {.name = "parts",
     .of_reading = true,
     .value = "FILE,...",
     .commands = MGL_FOR_ROLES,
     .of_session = true,
     .kind = MGL_KEY_INPUTS,
     .place = offsetof(mgl_settings, source.parts),
     .count = offsetof(mgl_settings, source.n_parts),
     .help = "further parts that `count` made, where the data is one"},
    {.name = "recoding",
     .value = "FILE",
     .commands = MGL_APPLY,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, recoding),
     .help = "the recoding to apply, that `save-recoding` wrote"},
    {.name = "with",
     .value = "RELEASE",
     .commands = MGL_APPLY,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, with),
     .help =
         "the file released earlier with the recoding: models hold on its rows and the new ones "
         "together"},
};

const mgl_key_rows mgl_keys_of_files = MGL_KEY_ROWS(rows);
