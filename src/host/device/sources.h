/* Which of the recorder's sources a program of this machine offers, told from its files
 * without running it. */
#ifndef DEJANK_DEVICE_SOURCES_H
#define DEJANK_DEVICE_SOURCES_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"

/* How sure it is that the program reaches the library a source stands in front of. */
enum dj_reach {
    DJ_REACH_ABSENT,   /* neither linked nor named: still possible through a plug-in */
    DJ_REACH_MAY_LOAD, /* it, or a library of its, names the library: loaded on demand */
    DJ_REACH_LINKED    /* the loader brings it in before the program starts */
};

enum { DJ_SOURCES = 9 };

struct dj_source {
    const char *name;  /* "GLX" */
    const char *gives; /* what frames tell through it, as half a sentence */
    enum dj_reach reach;
    char library[64]; /* the file that brings it or its name; "": none */
};

/* "linked", "may load", "not seen". */
const char *dj_reach_name(enum dj_reach reach);

/*
 * Fills the table for the program in `path`, or, where that is a script, for its
 * interpreter, whose path is then in *interpreter (else ""). Asks the dynamic loader what
 * the program would load (it does not run), and searches those files for the names of
 * libraries that they load on demand. DJ_E_IO where the file cannot be read; where the
 * loader cannot answer only the program's own file is searched.
 */
int dj_sources_of(const char *path, struct dj_source sources[DJ_SOURCES],
                  char interpreter[PATH_MAX], struct dj_error *err);

#endif
