/* The output of dumpsys: the dump on stdout, messages on stderr. */
#ifndef DEJANK_DUMPSYS_OUTPUT_H
#define DEJANK_DUMPSYS_OUTPUT_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_OUTPUT_FAILED = 1, /* Exit status if stdout could not be written or memory could
                           * not be allocated. */
    DJ_OUTPUT_USAGE = 2,  /* Exit status for invalid arguments of dejank's extensions. */
    DJ_OUTPUT_NO_DATA = 4 /* Exit status of the service "dejank" if there is no such
                           * process. The service "gfxinfo" returns Android's 0. */
};

/* Writes all bytes. Returns false and sets errno if that fails. */
bool dj_output_write(int fd, const char *bytes, size_t length);

/* Writes the text to stdout and frees it. Returns 0. After a failure, reports the
 * error on stderr and returns DJ_OUTPUT_FAILED. */
int dj_output_print_text(struct dj_text *text);

/* Writes the text to stderr unchanged. */
void dj_output_write_message(const char *text);

/* Prints Android's message for an unknown service on stderr, without a prefix. Returns
 * Android's exit status for that case, which is 0 (frameworks/native,
 * cmds/dumpsys/dumpsys.cpp). */
int dj_output_report_no_service(const char *name);

/* Prints "dumpsys: MESSAGE" on stderr, with control characters escaped. */
void dj_output_report_error(const struct dj_error *err);
void dj_output_report_callback(const struct dj_error *err, void *unused);

#endif
