/* The contents of a frame log: streams of frames, facts of the system, and notes. */
#ifndef DEJANK_IMPORT_LOG_FRAME_LOG_H
#define DEJANK_IMPORT_LOG_FRAME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Maximum number of stored notes. Further notes are only counted. */
    DJ_LOG_NOTES = 16,
    DJ_LOG_FACTS = 32,       /* Maximum number of facts about the system. */
    DJ_LOG_STREAMS = 64,     /* Maximum number of streams in a table. */
    DJ_LOG_RUNS = 4096,      /* Maximum number of runs in a file. */
    DJ_LOG_FRAMES = 4 << 20, /* Maximum number of frames in a file. */
    DJ_LOG_BYTES = 1 << 30,  /* Maximum size of a file. */
    DJ_LOG_NOTE_TEXT = 200
};

/* An unknown time of a frame. */
#define DJ_LOG_UNKNOWN INT64_MIN

/* A frame, which lasts from one present to the next. A present is the hand-over of a
 * finished image to the display. */
struct dj_log_frame {
    int64_t end_ns;  /* End of the frame, as time since the beginning of the log. */
    int64_t time_ns; /* Duration of the frame. Above 0. */
    /* Time at which the display showed the frame, on the same clock, or
     * DJ_LOG_UNKNOWN. */
    int64_t display_ns;
    /* Time for which the program computed the content of the frame, or DJ_LOG_UNKNOWN.
     * Only the difference between two frames has a meaning. */
    int64_t content_ns;
};

/* The frames that one program presented in one swap chain. */
struct dj_log_stream {
    char *process; /* Name of the program, or NULL if unknown. */
    char *title;
    int64_t pid; /* Id of the process, or −1 if unknown. */
    int64_t late; /* Number of frames that the log itself calls late, or −1 if unknown. */
    size_t run;   /* Index of the run in the log, from 0. */
    struct dj_log_frame *frames;
    size_t frame_count;
    /* End of the last frame so far. The readers of logs use it as the start of a frame
     * without a time. */
    int64_t clock_ns;
    /* True if a driver generated this frame between two frames that the program drew. */
    bool is_generated;
    /* True if the log contains the times at which the display showed frames, and true if
     * it contains the times for which their contents were computed. */
    bool has_display, has_content;
    /* Time at which the display showed the last frame of the swap chain, and time at
     * which it showed the next one. */
    int64_t display_ns, next_display_ns;
    /* Time at which the display showed the last frame that the program itself drew, and
     * the time for which its content was computed. */
    int64_t drawn_display_ns, drawn_content_ns;
};

/* A fact of the system as the log spells it, such as "cpu" and "AMD EPYC". */
struct dj_log_fact {
    char *name, *value;
};

struct dj_log_note {
    size_t line; /* Line number from 1, or 0 if the note concerns the whole log. */
    char message[DJ_LOG_NOTE_TEXT];
};

struct dj_log_format;

struct dj_log {
    /* The text of the log. Valid only while the log is read. Owned by the caller. */
    const char *text;
    const struct dj_log_format *format;
    struct dj_log_stream *streams;
    size_t stream_count;
    size_t run_count; /* Number of runs, or 0 if the log is one run without a number. */
    /* The meaning of the frame times. NULL: the time between two presents. "cpu": the CPU
     * time of a frame. "mean": a mean of several frames. In the last two cases, frames
     * are not known to follow each other. */
    const char *times_are;
    struct dj_log_fact facts[DJ_LOG_FACTS];
    size_t fact_count;
    struct dj_log_note notes[DJ_LOG_NOTES];
    size_t note_count; /* Number of notes. May be larger than DJ_LOG_NOTES. */
    /* Line of the error that dj_import_read_log() returned, or 0 if the error concerns
     * the whole log. */
    size_t error_line;
    /* `rows` counts the lines after the header. `rows_bad` counts the lines after the
     * header that are no frame. */
    size_t rows, rows_bad;
    const char *unit; /* Unit of the frame times, such as "ms" or "us". */
    /* If above 0, a row is a sample, and this is the time between two samples. Otherwise
     * there is a row for each frame. */
    int64_t sample_ns;
    size_t frames; /* Number of frames of all streams. */
};

#endif
