/* What dumpsys says, and where: the dump on stdout, the talk on stderr. */
#ifndef DEJANK_DUMPSYS_OUTPUT_H
#define DEJANK_DUMPSYS_OUTPUT_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_OUTPUT_FAILED = 1, /* exit status: stdout or memory gave out */
    DJ_OUTPUT_USAGE = 2,  /* exit status: words of ours that make no sense */
    DJ_OUTPUT_NO_DATA =
        4 /* exit status: no such process (of our own service; gfxinfo has Android's 0) */
};

/* Writes all of it. False: not all could be written; errno says why. */
bool dj_output_write(int fd, const char *bytes, size_t length);

/* Writes all of the text to stdout and finishes it. 0, or DJ_OUTPUT_FAILED after a line
 * on stderr. */
int dj_output_text(struct dj_text *text);

/* Writes to stderr as it stands. */
void dj_output_talk(const char *text);

/* Android's words for a service that there is not, on stderr and without a prefix, and
 * its exit status: 0 (frameworks/native, cmds/dumpsys/dumpsys.cpp). */
int dj_output_no_service(const char *name);

/* "dumpsys: MESSAGE" on stderr, safe for a terminal. */
void dj_output_error(const struct dj_error *err);
void dj_output_complaint(const struct dj_error *err, void *unused);

#endif
