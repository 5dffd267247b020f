/* Reads the texts of `dumpsys SurfaceFlinger` line by line, as a part of the parser of
 * module gfxinfo (read/reader.h). Each text is read in a mode. A line that does not
 * belong to the mode is left to the other readers. */
#ifndef DEJANK_GFXINFO_SURFACE_STATE_H
#define DEJANK_GFXINFO_SURFACE_STATE_H

#include "base/str.h"
#include "base/text.h"
#include "gfxinfo/surface.h"

struct dj_reader;

enum dj_surface_mode {
    DJ_SURFACE_OUTSIDE, /* The line is in other text. */
    DJ_SURFACE_IN_TIMESTATS,
    DJ_SURFACE_IN_LATENCY,
    DJ_SURFACE_IN_LIST,
    DJ_SURFACE_IN_FRAME_TIMELINE
};

/* The kind of text that the last command line in the text prints, such as "$ adb shell
 * dumpsys SurfaceFlinger --list". */
enum dj_surface_command {
    DJ_SURFACE_NO_COMMAND,
    DJ_SURFACE_LATENCY_COMMAND,
    DJ_SURFACE_LIST_COMMAND,
    DJ_SURFACE_OTHER_COMMAND
};

enum {
    /* Maximum number of layers in a dump. The parser emits a dump that has more. */
    DJ_SURFACE_LAYERS_MOST = 1 << 14,
    /* Number of the last layers of a block that may have more parts. Android stores at
     * most 200 layers. */
    DJ_SURFACE_LAYERS_BACK = 512
};

struct dj_surface_state {
    enum dj_surface_mode mode;
    enum dj_surface_command command;
    struct dj_text command_layer; /* Layer in the command line, or empty. */
    bool in_part; /* Whether the text is in a bug report's part about SurfaceFlinger. */
    size_t block; /* Index in the dump of the first layer of the current text. */
    size_t index; /* Index of the current layer. */
    bool in_layer;

    /* The next members are used to read timestats. */
    /* Values that precede the name of the layer, or −1. */
    int64_t display_hz, render_hz, uid;
    bool is_name_open; /* Whether the name may continue in the next line. */
    bool in_jank;      /* Whether the line follows "Jank payload for this layer:". */
    bool in_histogram; /* Whether the next line may continue a histogram. */
    /* Whether the current histogram is that of the times from present to present. */
    bool is_presents;
    struct dj_text histogram;
    size_t histogram_line, histogram_byte; /* Position of the histogram. */
    /* Whether the text ends in the last line of the histogram. */
    bool is_histogram_truncated;

    /* The next members are used to read a latency dump. */
    /* Refresh period, which the line before the rows contains, or 0. */
    int64_t period_ns;
    size_t period_line;
    bool is_period_certain; /* Whether a text without rows is certainly a latency text. */
    bool has_period;
    bool content_seen; /* Whether the text has contained any line before. */

    bool is_list_certain; /* Whether a line was certainly a name of a layer. */

    /* The next members are used to read a frame timeline. */
    bool in_display_frame;
    bool is_each_printed; /* Whether a frame without jank is printed. */
    bool is_present;      /* Whether the current frame was presented. */
    int64_t vsync_ns;     /* Expected start of the display's frame, or −1 if unknown. */
    int64_t expected_ns;  /* Expected start of the current frame. */
};

/* Functions that the other readers also use. They are defined in router.c. */

void dj_surface_state_init(struct dj_surface_state *state);
void dj_surface_state_finish(struct dj_surface_state *state);

/* Starts timestats at their first line. `rest` is the text after the word of the opener
 * (read/openers.h), as in the functions below. */
void dj_surface_open_timestats(struct dj_reader *reader, struct dj_str rest);

/* Starts timestats whose first lines are missing at a line "layerName = …". */
void dj_surface_open_layer(struct dj_reader *reader, struct dj_str rest);

/* Starts timestats whose first lines are missing at a line "displayRefreshRate = …". */
void dj_surface_open_rate(struct dj_reader *reader, struct dj_str rest);

/* Starts a list of layers. */
void dj_surface_open_list(struct dj_reader *reader, struct dj_str rest);

/* Starts the text of --frametimeline. */
void dj_surface_open_frame_timeline(struct dj_reader *reader, struct dj_str rest);
/* Reads the message that SurfaceFlinger did not answer in time. */
void dj_surface_open_message(struct dj_reader *reader, struct dj_str rest);

/* Reads a line of the current text. Returns false if the line does not belong to it. */
bool dj_surface_read_line(struct dj_reader *reader, struct dj_str line);

/* Reads a line that no other reader knows. Returns whether the line begins a text. */
bool dj_surface_read_unknown(struct dj_reader *reader, struct dj_str line);

/* Reads a line of another part of a bug report, where only lines that belong to no other
 * text count. */
void dj_surface_read_elsewhere(struct dj_reader *reader, struct dj_str line);

/* Ends the current text. */
void dj_surface_close(struct dj_reader *reader);

/* Functions that the files of this folder share. */

/* Closes the text and the process, and begins a text. */
void dj_surface_begin(struct dj_reader *reader, enum dj_surface_mode mode);

/* Adds a layer with this name, which becomes the current one. Returns NULL if there is no
 * memory or if the maximum is reached. */
struct dj_dump_surface *dj_surface_begin_layer(struct dj_reader *reader,
                                               enum dj_surface_kind kind,
                                               struct dj_str name);

/* Sets the name and the package. */
void dj_surface_set_name(struct dj_reader *reader, struct dj_dump_surface *surface,
                         struct dj_str name);

/* Returns the current layer. */
struct dj_dump_surface *dj_surface_get(struct dj_reader *reader);

/* Appends a present time. */
void dj_surface_add_time(struct dj_reader *reader, int64_t present_ns);

/* Appends a present time, and the time for which the app drew the frame. */
void dj_surface_add_frame(struct dj_reader *reader, int64_t present_ns,
                          int64_t content_ns);

/* Returns the line without the prefix that a log adds: "2031-05-04T09:41:07.142857Z ",
 * "I/tag( 1234): " or "07-04 12:00:00.123  1234  1260 I tag: ". */
struct dj_str dj_surface_skip_log_prefix(struct dj_str line);

/* Reads a count of at most 32 bits at the end of the line. Returns −1, with a warning, if
 * it is anything else or may be truncated. */
int64_t dj_surface_read_count(struct dj_reader *reader, struct dj_str rest);

bool dj_surface_read_timestats(struct dj_reader *reader, struct dj_str line);
void dj_surface_close_timestats(struct dj_reader *reader);

bool dj_surface_read_histogram(struct dj_reader *reader, struct dj_str line);
void dj_surface_close_histogram(struct dj_reader *reader);

bool dj_surface_begin_latency(struct dj_reader *reader, struct dj_str line);
bool dj_surface_read_latency(struct dj_reader *reader, struct dj_str line);
void dj_surface_close_latency(struct dj_reader *reader);
/* Ends a text that has a refresh period but no rows. */
void dj_surface_close_period(struct dj_reader *reader);

bool dj_surface_begin_list(struct dj_reader *reader, struct dj_str line);
bool dj_surface_read_list(struct dj_reader *reader, struct dj_str line);
void dj_surface_close_list(struct dj_reader *reader);

bool dj_surface_read_frame_timeline(struct dj_reader *reader, struct dj_str line);
void dj_surface_close_frame_timeline(struct dj_reader *reader);

#endif
