/*
 * Other tools' frame logs → frames: which tool wrote a text is told by its header line,
 * and each tool is one file (log_NAME.c) behind the table in log.c. What a log does not
 * tell stays unknown: from times between presents no stage is made, and no deadline.
 */
#ifndef DEJANK_IMPORT_LOG_H
#define DEJANK_IMPORT_LOG_H

#include "base/error.h"
#include "gfxinfo/dump.h"

enum {
    DJ_LOG_NOTES = 16,       /* kept; more are counted */
    DJ_LOG_FACTS = 32,       /* of the system */
    DJ_LOG_STREAMS = 64,     /* programs and their swap chains in one table */
    DJ_LOG_RUNS = 4096,      /* of one file */
    DJ_LOG_FRAMES = 4 << 20, /* of one file */
    DJ_LOG_BYTES = 1 << 30,  /* of one file */
    DJ_LOG_NOTE_TEXT = 200
};

/* A frame, from one present to the next. */
struct dj_log_frame {
    int64_t end_ns;  /* since the log's own beginning */
    int64_t time_ns; /* > 0 */
};

/* What one program presented in one place. */
struct dj_log_stream {
    char *process; /* NULL: the log does not say; so is title */
    char *title;
    int64_t pid;  /* −1 unknown */
    int64_t late; /* of its frames, as the log itself judged them; −1 unknown */
    size_t run;   /* in which of the log's runs it was, from 0 */
    struct dj_log_frame *frames;
    size_t frame_count;
    int64_t clock_ns; /* the inside: where the next frame ends that tells no time */
};

/* "cpu": "AMD EPYC", as the log spells both. */
struct dj_log_fact {
    char *name, *value;
};

struct dj_log_note {
    size_t line; /* from 1; 0: of the whole log */
    char message[DJ_LOG_NOTE_TEXT];
};

struct dj_log_format;

struct dj_log {
    const char *text; /* the caller's, while it is being read */
    const struct dj_log_format *format;
    struct dj_log_stream *streams;
    size_t stream_count;
    size_t run_count;      /* 0: the log is one run, which it does not number */
    const char *times_are; /* NULL: from present to present. "cpu": the CPU's part of a
                              frame; "mean": a mean over many. Then no frame is told to
                              follow another */
    struct dj_log_fact facts[DJ_LOG_FACTS];
    size_t fact_count;
    struct dj_log_note notes[DJ_LOG_NOTES];
    size_t note_count; /* may be more than are kept */
    size_t error_line; /* of the error that dj_log_read() returned; 0: the whole log */
    size_t rows, rows_bad; /* lines below the header; of those, no frame */
    const char *unit;      /* of its frame times: "ms", "us" */
    int64_t sample_ns;     /* > 0: a row is a sample taken so often, not every frame */
    size_t frames;         /* of all streams */
};

/* Whether a text is one of these logs, by its first lines. Not: whether it is whole. */
bool dj_log_is(const char *bytes, size_t length);

/* The name of a format: "mangohud". */
const char *dj_log_name(const struct dj_log *log);

/*
 * Reads a text. Lines that tell no frame are passed over with a note, also a last one
 * that was cut. DJ_E_INVALID where no format fits or numbers contradict each other,
 * DJ_E_NO_DATA without any frame, DJ_E_LIMIT: log->error_line says where.
 * Finish *log in every case.
 */
int dj_log_read(const char *bytes, size_t length, struct dj_log *log,
                struct dj_error *err);

void dj_log_finish(struct dj_log *log);

/* How many runs dj_log_dump() has: at least 1. */
size_t dj_log_runs(const struct dj_log *log);

/*
 * One of the log's runs (from 0) as a dump, in which all that is not known is named as
 * not recorded: a process for each program, a window for each place. `process` is what a
 * program is called that the log does not name. The dump is the caller's to finish.
 */
void dj_log_dump(const struct dj_log *log, size_t run, const char *process,
                 struct dj_dump *dump);

#endif
