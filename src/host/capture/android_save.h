/* A trace on its way from a device into a file: whole or not there. Of this room only. */
#ifndef DEJANK_CAPTURE_ANDROID_SAVE_H
#define DEJANK_CAPTURE_ANDROID_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct dj_save {
    int fd;             /* −1: none is open */
    char *path, *fresh; /* where it shall be, and where it is until then; owned */
    bool direct;        /* `path` is written to in the end, not replaced */
    int64_t bytes, maximum;
    bool cut; /* more came than `maximum` */
    /* of atrace's output, whose talk before the title is no trace */
    bool titled;      /* a title is waited for, or was seen */
    bool seen;        /* it was */
    bool crlf;        /* its line ended with \r\n: a terminal stood between, and made that
                         of every \n */
    bool held_return; /* the last byte was \r, and what follows is not known yet */
    struct dj_text talk; /* before the title; owned */
};

/* Opens a file beside `path` (in $TMPDIR or /tmp where nothing may take its place,
 * device/output_place.h); that itself is as it was until dj_save_commit(). `maximum` > 0.
 * DJ_E_OUTPUT. */
int dj_save_open(struct dj_save *save, const char *path, int64_t maximum,
                 struct dj_error *err);
/* DJ_E_OUTPUT; DJ_E_LIMIT once the maximum is reached: what fits is in the file. */
int dj_save_take(struct dj_save *save, const char *bytes, size_t length,
                 struct dj_error *err);
/* All came. */
int dj_save_end(struct dj_save *save, struct dj_error *err);
/* It is whole: puts it into its place. DJ_E_OUTPUT, which says where it is instead. */
int dj_save_commit(struct dj_save *save, struct dj_error *err);
/* Removes it where it is not in its place. */
void dj_save_finish(struct dj_save *save);

#endif
