/* Finds the sources of frame times that a program of this machine offers to the recorder.
 * Reads only the files of the program and does not run it. */
#ifndef DEJANK_DEVICE_RECORDER_SOURCES_H
#define DEJANK_DEVICE_RECORDER_SOURCES_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* How certain it is that the program uses the library of a source. */
enum dj_reach {
    /* The program neither links nor names the library. A plug-in may still load it. */
    DJ_REACH_ABSENT,
    /* The program, or a library that it links, contains the name of the library, and so
     * may load it on demand. */
    DJ_REACH_MAY_LOAD,
    /* The dynamic loader loads the library before the program starts. */
    DJ_REACH_LINKED
};

enum { DJ_SOURCES = 9 };

struct dj_recorder_source {
    const char *name; /* Name for users, such as "GLX". */
    /* The data that the source adds to frames, as a list of nouns. */
    const char *gives;
    enum dj_reach reach;
    /* File name of the library that was found, or "" if none was found. */
    char library[64];
};

/* Returns "linked", "may load" or "not seen". */
const char *dj_device_recorder_sources_reach_name(enum dj_reach reach);

/* Appends what the dynamic loader prints about the libraries of the program at `path`: a
 * line for each, such as "libGL.so.1 => /usr/lib/libGL.so.1 (0x…)". Does not run the
 * program. Leaves the text empty if the loader fails. */
void dj_device_list_libraries(const char *path, struct dj_text *list);

/*
 * Fills the table for the program at `path`. If the program is a script, the table
 * describes its interpreter, and *interpreter is the path of the interpreter. Otherwise
 * *interpreter is "".
 *
 * The dynamic loader lists the libraries that the program would load, without running the
 * program. These libraries and the program are searched for names of other libraries. If
 * the loader fails, only the file of the program is searched. Returns DJ_E_IO if this
 * file cannot be read.
 */
int dj_device_recorder_sources_find(const char *path,
                                    struct dj_recorder_source sources[DJ_SOURCES],
                                    char interpreter[PATH_MAX], struct dj_error *err);

#endif
