/* One file of `dejank import`, as the evidence of one run or several. The file is
 * gfxinfo text, or the log of another tool. For a log, gfxinfo text is generated from
 * its frames. */
#ifndef DEJANK_IMPORT_RUN_FILE_H
#define DEJANK_IMPORT_RUN_FILE_H

#include "base/messages.h"
#include "import/log.h"
#include "store/sha256.h"
#include "store/store.h"

/* A file and its current run. Zero the struct before use. Finish it after use, also after
 * an error. */
struct dj_import_file {
    const struct dj_messages *messages; /* Receives the messages. Owned by the caller. */
    const char *source;                 /* Name of the file in messages. */
    const char *format; /* Format of the file: "gfxinfo", "mangohud", and so on. */
    struct dj_text raw; /* The contents of the file, decompressed. */
    /* The gfxinfo text of the chosen process. Empty if `raw` is this text. */
    struct dj_text text;
    char sha256[DJ_SHA256_HEX_BYTES]; /* SHA-256 hash of `raw` in hexadecimal. */
    char *package;
    bool package_unknown; /* True if the file names no process. */
    enum dj_run_outcome outcome;
    char reason[240];                /* The reason if the outcome is not DJ_RUN_OK. */
    struct dj_store_window *windows; /* The windows. Their names are owned. */
    size_t window_count;
    /* Time from the start of the first frame to 1 ns after the start of the last frame.
     * Both are 0 if unknown. */
    struct dj_span span;
    /* Number of rows, or of counted frames if there are no rows. */
    size_t frames;
    /* Time at which the file was last written, in ms since 1970. For standard input, the
     * current time. */
    int64_t written_unix_ms;
    struct dj_log log; /* The log, if the file is one. Empty otherwise. */
    size_t log_run;    /* Index of the current run in the log, from 0. */
};

/*
 * Reads a whole file, or standard input for "-". `package` selects one of several
 * processes, and is the name of a process that has no name. If `package` is NULL, the
 * file must have only one process. If this process has no name, it gets the name of the
 * file. Sends a message for each skipped line, and for the reason if the file is not a
 * run. Returns whether the file is a run.
 */
bool dj_import_read(const char *path, const char *package,
                    const struct dj_messages *messages, struct dj_import_file *file);

/*
 * Reads the next run of a log with several runs. Returns false if there is none. Sets
 * *is_run to what dj_import_read() would return for this run.
 */
bool dj_import_next(const char *path, const char *package, struct dj_import_file *file,
                    bool *is_run);
void dj_import_finish(struct dj_import_file *file);

/* Appends the CPU and the GPU that a log names, such as "AMD Ryzen 7, RTX 3070". Appends
 * nothing for other files. */
void dj_import_append_device(const struct dj_import_file *file, struct dj_text *device);

/* Returns the value of a fact of the log, or NULL. Ignores the case of the name. */
const char *dj_import_find_fact(const struct dj_import_file *file, const char *name);

/*
 * Fills the rest of *file from file->raw: package, outcome, windows, and `text` if there
 * are several processes. `fallback_name` is the name for a process without a name if
 * `package` is NULL. Returns whether the text is a run. If not, sends a message with the
 * reason.
 */
bool dj_import_gfxinfo(const char *fallback_name, const char *package,
                       struct dj_import_file *file);
void dj_import_forget_windows(struct dj_import_file *file);

#endif
