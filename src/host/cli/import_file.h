/* One file of `dejank import`, as the evidence of a run, or of several: gfxinfo text, or
 * another tool's log beside the gfxinfo text that was made of its frames. */
#ifndef DEJANK_CLI_IMPORT_FILE_H
#define DEJANK_CLI_IMPORT_FILE_H

#include "import/log.h"
#include "store/sha256.h"
#include "store/store.h"

/* Zero it; finish it also after an error. */
struct dj_import_file {
    const char *source;  /* as messages name it */
    const char *format;  /* "gfxinfo", "mangohud", … */
    struct dj_text raw;  /* what is in the file, compression taken off */
    struct dj_text text; /* gfxinfo text of the one package; empty: that is `raw` */
    char sha256[DJ_SHA256_HEX]; /* of raw */
    char *package;
    enum dj_run_outcome outcome;
    char reason[240];                  /* why it is not ok */
    struct dj_history_window *windows; /* names owned */
    size_t window_count;
    struct dj_span span;     /* of its rows; both 0: unknown */
    size_t frames;           /* rows, or counted where there are none */
    int64_t written_unix_ms; /* when the file was last written; of the standard input,
                                now */
    struct dj_log log;       /* of a log: its facts and notes; else empty */
    size_t log_run;          /* which of its runs this is, from 0 */
};

/*
 * Reads a file (or "-") whole. `package` says which of several processes is meant, and
 * what one is called that has no name; NULL: there is only one, and a nameless one is
 * called by its file. What was passed over is told on stderr, as is why it is no run. An
 * exit code: DJ_EXIT_OK or DJ_EXIT_DATA.
 */
int dj_import_read(const char *path, const char *package, struct dj_import_file *file);

/*
 * Turns to the next run of a file whose log holds several; false: there is none. *code:
 * an exit code as above.
 */
bool dj_import_next(const char *path, const char *package, struct dj_import_file *file,
                    int *code);

void dj_import_finish(struct dj_import_file *file);

/* ---- gfxinfo text ---- */

/* Fills the rest of *file from file->raw: package, outcome, windows, and `text` where
 * there are other processes too. `called` is the name of a nameless process where
 * `package` is NULL. An exit code, and what is wrong on stderr. */
int dj_import_gfxinfo(const char *called, const char *package,
                      struct dj_import_file *file);

void dj_import_forget_windows(struct dj_import_file *file);

#endif
