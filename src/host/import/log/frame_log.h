/* The contents of a frame log: streams of frames, facts of the system, and notes. */
#ifndef DEJANK_IMPORT_LOG_FRAME_LOG_H
#define DEJANK_IMPORT_LOG_FRAME_LOG_H

#include <stddef.h>
#include <stdint.h>

enum {
    DJ_LOG_NOTES = 16,       /* stored; more are counted */
    DJ_LOG_FACTS = 32,       /* about the system */
    DJ_LOG_STREAMS = 64,     /* programs and their swap chains in one table */
    DJ_LOG_RUNS = 4096,      /* per file */
    DJ_LOG_FRAMES = 4 << 20, /* per file */
    DJ_LOG_BYTES = 1 << 30,  /* per file */
    DJ_LOG_NOTE_TEXT = 200
};

/* A frame, from one present to the next. */
struct dj_log_frame {
    int64_t end_ns;  /* since the beginning of the log */
    int64_t time_ns; /* > 0 */
};

/* The frames that one program presented in one swap chain. */
struct dj_log_stream {
    char *process; /* NULL: unknown; the same for title */
    char *title;
    int64_t pid;  /* −1: unknown */
    int64_t late; /* number of late frames by the log's own rule; −1: unknown */
    size_t run;   /* number of the log's run, from 0 */
    struct dj_log_frame *frames;
    size_t frame_count;
    int64_t clock_ns; /* internal: end of the next frame if it has no time */
};

/* "cpu": "AMD EPYC", as the log spells both. */
struct dj_log_fact {
    char *name, *value;
};

struct dj_log_note {
    size_t line; /* from 1; 0: the whole log */
    char message[DJ_LOG_NOTE_TEXT];
};

struct dj_log_format;

struct dj_log {
    const char *text; /* owned by the caller; used while it is read */
    const struct dj_log_format *format;
    struct dj_log_stream *streams;
    size_t stream_count;
    size_t run_count;      /* 0: the log is one run without a number */
    const char *times_are; /* NULL: from present to present. "cpu": the CPU's part of a
                            * frame; "mean": a mean of several frames. Then no frame is
                            * known to follow another */
    struct dj_log_fact facts[DJ_LOG_FACTS];
    size_t fact_count;
    struct dj_log_note notes[DJ_LOG_NOTES];
    size_t note_count; /* may be more than are stored */
    size_t error_line; /* of the error that dj_import_read_log() returned; 0: the whole
                          log */
    size_t rows, rows_bad; /* lines after the header; those of them that are no frame */
    const char *unit;      /* of its frame times: "ms", "us" */
    int64_t sample_ns;     /* > 0: a row is a sample with this period, not every frame */
    size_t frames;         /* of all streams */
};

#endif
