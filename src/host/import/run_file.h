/* One file of `dejank import`, as the evidence of one or several runs: gfxinfo text, or
 * the log of another tool together with the gfxinfo text that was generated from its
 * frames. */
#ifndef DEJANK_IMPORT_RUN_FILE_H
#define DEJANK_IMPORT_RUN_FILE_H

#include "base/messages.h"
#include "import/log.h"
#include "store/sha256.h"
#include "store/store.h"

/* Zero it; finish it also after an error. */
struct dj_import_file {
    const struct dj_messages *messages; /* the caller's */
    const char *source;                 /* as messages name it */
    const char *format;                 /* "gfxinfo", "mangohud", … */
    struct dj_text raw;                 /* the contents of the file, decompressed */
    struct dj_text text; /* gfxinfo text of the one package; empty: that is `raw` */
    char sha256[DJ_SHA256_HEX_BYTES]; /* of raw */
    char *package;
    enum dj_run_outcome outcome;
    char reason[240];                /* why it is not ok */
    struct dj_store_window *windows; /* names owned */
    size_t window_count;
    struct dj_span span;     /* of its rows; both 0: unknown */
    size_t frames;           /* rows, or counted where there are none */
    int64_t written_unix_ms; /* when the file was last written; of the standard input,
                                now */
    struct dj_log log;       /* of a log: its facts and notes; else empty */
    size_t log_run;          /* which of its runs this is, from 0 */
};

/*
 * Reads a file, or "-" for the standard input, whole. `package` selects one of several
 * processes, and names a process without a name. NULL: the file has only one process, and
 * one without a name is named after the file. Sends a message for each skipped line, and
 * for the reason if the file is not a run. Returns whether it is a run.
 */
bool dj_import_read(const char *path, const char *package,
                    const struct dj_messages *messages, struct dj_import_file *file);

/*
 * Reads the next run of a file with a log of several runs. Returns false if there is
 * none. *is_run: as the result of dj_import_read().
 */
bool dj_import_next(const char *path, const char *package, struct dj_import_file *file,
                    bool *is_run);
void dj_import_finish(struct dj_import_file *file);

/* ---- gfxinfo text ---- */

/*
 * Fills the rest of *file from file->raw: package, outcome, windows, and `text` if the
 * input has other processes too. `called` is the name of a process without a name if
 * `package` is NULL. Returns whether it is a run. If not, sends a message with the
 * reason.
 */
bool dj_import_gfxinfo(const char *called, const char *package,
                       struct dj_import_file *file);
void dj_import_forget_windows(struct dj_import_file *file);

#endif
