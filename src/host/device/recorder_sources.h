/* Finds which of the recorder's sources a program of this machine offers, from its files,
 * without running it. */
#ifndef DEJANK_DEVICE_RECORDER_SOURCES_H
#define DEJANK_DEVICE_RECORDER_SOURCES_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"

/* How certain it is that the program uses the library of a source. */
enum dj_reach {
    DJ_REACH_ABSENT,   /* neither linked nor named; a plug-in may still load it */
    DJ_REACH_MAY_LOAD, /* the program or one of its libraries names the library, and may
                          load it on demand */
    DJ_REACH_LINKED    /* the loader loads it before the program starts */
};

enum { DJ_SOURCES = 9 };

struct dj_recorder_source {
    const char *name;  /* "GLX" */
    const char *gives; /* what the source adds to frames, as half a sentence */
    enum dj_reach reach;
    char library[64]; /* the file that loads it, or its name; "": none */
};

/* Returns "linked", "may load" or "not seen". */
const char *dj_device_recorder_sources_reach_name(enum dj_reach reach);

/* Fills the table for the program at `path`. If that is a script, the table describes its
 * interpreter, and *interpreter is the path of that (else ""). The dynamic loader lists
 * what the program would load; the program does not run. Those files are searched for
 * names of libraries that they load on demand. If the loader fails, only the file of the
 * program is searched. DJ_E_IO: the file cannot be read. */
int dj_device_recorder_sources_find(const char *path,
                                    struct dj_recorder_source sources[DJ_SOURCES],
                                    char interpreter[PATH_MAX], struct dj_error *err);

#endif
