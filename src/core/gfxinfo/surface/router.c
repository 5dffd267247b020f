#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/read/openers.h"
#include "gfxinfo/scan.h"
#include "gfxinfo/surface/state.h"

void dj_surface_state_init(struct dj_surface_state *state)
{
    *state = (struct dj_surface_state){
        .display_hz = -1, .render_hz = -1, .uid = -1, .vsync_ns = -1};
}

void dj_surface_state_finish(struct dj_surface_state *state)
{
    dj_text_finish(&state->command_layer);
    dj_text_finish(&state->histogram);
}

struct dj_dump_surface *dj_surface_get(struct dj_reader *reader)
{
    return &reader->dump->surfaces.at[reader->surface.index];
}

void dj_surface_set_name(struct dj_reader *reader, struct dj_dump_surface *surface,
                         struct dj_str name)
{
    struct dj_str package = dj_gfxinfo_surface_find_package(name);
    dj_reader_set_string(reader, &surface->layer, name);
    if (package.length > 0) {
        dj_reader_set_string(reader, &surface->package, package);
    }
}

struct dj_dump_surface *dj_surface_begin_layer(struct dj_reader *reader,
                                               enum dj_surface_kind kind,
                                               struct dj_str name)
{
    struct dj_surface_state *state = &reader->surface;
    struct dj_surfaces *surfaces = &reader->dump->surfaces;
    if (surfaces->count >= DJ_SURFACE_LAYERS_MOST && reader->callback != NULL) {
        enum dj_surface_mode mode = state->mode;
        dj_reader_emit_partial_dump(reader);
        state->mode = mode;
    }
    if (surfaces->count >= DJ_SURFACE_LAYERS_MOST) {
        dj_reader_warn(reader, "more than %d layers in one dump: this layer is ignored",
                       DJ_SURFACE_LAYERS_MOST);
        return NULL;
    }
    struct dj_dump_surface *surface = dj_gfxinfo_surface_add(surfaces, kind);
    if (surface == NULL) {
        reader->failed = true;
        return NULL;
    }
    surface->line = reader->line;
    state->index = surfaces->count - 1;
    state->in_layer = true;
    if (name.length > 0) {
        dj_surface_set_name(reader, surface, name);
    }
    return surface;
}

void dj_surface_add_time(struct dj_reader *reader, int64_t present_ns)
{
    struct dj_dump_surface *surface = dj_surface_get(reader);
    if (surface->present_count < DJ_SURFACE_TIMES_MOST &&
        !DJ_ARRAY_PUSH(surface->present_ns, surface->present_count, present_ns)) {
        reader->failed = true;
    }
}

void dj_surface_add_frame(struct dj_reader *reader, int64_t present_ns,
                          int64_t content_ns)
{
    struct dj_dump_surface *surface = dj_surface_get(reader);
    dj_surface_add_time(reader, present_ns);
    if (surface->content_count < surface->present_count &&
        !DJ_ARRAY_PUSH(surface->content_ns, surface->content_count, content_ns)) {
        reader->failed = true;
    }
}

int64_t dj_surface_read_count(struct dj_reader *reader, struct dj_str rest)
{
    uint32_t count;
    dj_scan_blanks(&rest);
    if (!dj_scan_uint32(&rest, &count) || rest.length > 0) {
        dj_reader_warn(reader, "expected a count from 0 to %lu: ignored the value",
                       (unsigned long)UINT32_MAX);
        return -1;
    }
    if (reader->truncated) {
        dj_reader_warn(reader,
                       "the text ends in this line, so its number may lack digits");
        return -1;
    }
    return count;
}

void dj_surface_close(struct dj_reader *reader)
{
    struct dj_surface_state *state = &reader->surface;
    switch (state->mode) {
    case DJ_SURFACE_OUTSIDE:
        break;
    case DJ_SURFACE_IN_TIMESTATS:
        dj_surface_close_timestats(reader);
        break;
    case DJ_SURFACE_IN_LATENCY:
        dj_surface_close_latency(reader);
        break;
    case DJ_SURFACE_IN_LIST:
        dj_surface_close_list(reader);
        break;
    case DJ_SURFACE_IN_FRAME_TIMELINE:
        dj_surface_close_frame_timeline(reader);
        break;
    }
    state->mode = DJ_SURFACE_OUTSIDE;
    state->in_layer = false;
    if (state->period_ns > 0) {
        dj_surface_close_period(reader);
    }
}

void dj_surface_begin(struct dj_reader *reader, enum dj_surface_mode mode)
{
    dj_surface_close(reader);
    if (reader->process != NULL) {
        dj_reader_close_process(reader);
    }
    reader->surface.mode = mode;
    reader->surface.block = reader->dump->surfaces.count;
}

void dj_surface_open_timestats(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_surface_begin(reader, DJ_SURFACE_IN_TIMESTATS);
}

/* Begins timestats whose first lines are missing. */
static void open_word(struct dj_reader *reader, const char *word, struct dj_str rest)
{
    dj_surface_begin(reader, DJ_SURFACE_IN_TIMESTATS);
    struct dj_str line = dj_str_between(rest.at - strlen(word), rest.at + rest.length);
    dj_surface_read_timestats(reader, line);
}

void dj_surface_open_layer(struct dj_reader *reader, struct dj_str rest)
{
    open_word(reader, "layerName =", rest);
}

void dj_surface_open_rate(struct dj_reader *reader, struct dj_str rest)
{
    open_word(reader, "displayRefreshRate =", rest);
}

void dj_surface_open_list(struct dj_reader *reader, struct dj_str rest)
{
    dj_surface_begin(reader, DJ_SURFACE_IN_LIST);
    dj_surface_read_list(reader, dj_str_between(rest.at - strlen("RequestedLayerState{"),
                                                rest.at + rest.length));
}

void dj_surface_open_frame_timeline(struct dj_reader *reader, struct dj_str rest)
{
    dj_surface_begin(reader, DJ_SURFACE_IN_FRAME_TIMELINE);
    reader->surface.is_each_printed = false;
    reader->surface.vsync_ns = -1;
    dj_surface_read_frame_timeline(
        reader,
        dj_str_between(rest.at - strlen("Display Frame "), rest.at + rest.length));
}

void dj_surface_open_message(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_warn(reader, "SurfaceFlinger did not answer in time: its values may "
                           "belong to different moments");
}

struct dj_str dj_surface_skip_log_prefix(struct dj_str line)
{
    struct dj_str rest = line;
    struct dj_str word = dj_scan_until_blank(&rest);
    if (word.length >= 19 && dj_gfxinfo_is_digit(word.at[0]) && word.at[10] == 'T') {
        dj_scan_blanks(&rest);
        return rest;
    }
    bool brief =
        line.length > 2 && line.at[1] == '/' && memchr("VDIWEF", line.at[0], 6) != NULL;
    bool dated = word.length == 5 && word.at[2] == '-' && dj_gfxinfo_is_digit(word.at[0]);
    if (brief || dated) {
        struct dj_str after;
        if (dj_str_after(line, brief ? "): " : " I ", &after) ||
            dj_str_after(line, brief ? "): " : " D ", &after)) {
            if (!dated || dj_str_after(after, ": ", &after)) {
                dj_scan_blanks(&after);
                return after;
            }
        }
    }
    return line;
}

static bool read_mode(struct dj_reader *reader, struct dj_str line)
{
    switch (reader->surface.mode) {
    case DJ_SURFACE_OUTSIDE:
        return false;
    case DJ_SURFACE_IN_TIMESTATS:
        return dj_surface_read_timestats(reader, line);
    case DJ_SURFACE_IN_LATENCY:
        return dj_surface_read_latency(reader, dj_surface_skip_log_prefix(line));
    case DJ_SURFACE_IN_LIST:
        return dj_surface_read_list(reader, dj_surface_skip_log_prefix(line));
    case DJ_SURFACE_IN_FRAME_TIMELINE:
        return dj_surface_read_frame_timeline(reader, line);
    }
    return false;
}

bool dj_surface_read_line(struct dj_reader *reader, struct dj_str line)
{
    bool read = read_mode(reader, line);
    bool ends = reader->surface.mode == DJ_SURFACE_IN_LATENCY ||
                reader->surface.mode == DJ_SURFACE_IN_LIST;
    if (!read && ends) {
        dj_surface_close(reader);
    }
    return read;
}

/* Stores the layer of "--latency 'NAME'". The local shell and the device's shell each
 * remove one pair of quotes. */
static void set_command_layer(struct dj_reader *reader, struct dj_str name)
{
    struct dj_text *layer = &reader->surface.command_layer;
    name = dj_str_trim(name);
    bool quoted = name.length > 0 && strchr("'\"\\", name.at[0]) != NULL;
    if (quoted) {
        const char *end =
            memrchr(name.at, name.at[0] == '\\' ? '"' : name.at[0], name.length);
        name.length =
            end != NULL && end > name.at ? (size_t)(end - name.at) : name.length;
    } else {
        name = dj_scan_until_blank(&name);
    }
    dj_text_clear(layer);
    while (name.length > 0 && strchr("'\"\\ ", name.at[0]) != NULL) {
        name = dj_str_from(name, 1);
    }
    while (name.length > 0 && strchr("'\"\\ ", name.at[name.length - 1]) != NULL) {
        name.length--;
    }
    for (size_t i = 0; i < name.length; i++) {
        if (name.at[i] != '\\') {
            dj_reader_append(reader, layer, (struct dj_str){name.at + i, 1});
        }
    }
}

/* Reads a command line that the text contains, as in a copy of a terminal. Returns
 * whether the line is one. */
static bool read_command(struct dj_reader *reader, struct dj_str line)
{
    static const char word[] = "dumpsys SurfaceFlinger";
    struct dj_surface_state *state = &reader->surface;
    struct dj_str rest;
    if (memchr(line.at, 'F', line.length) == NULL || !dj_str_after(line, word, &rest)) {
        return false;
    }
    dj_surface_begin(reader, DJ_SURFACE_OUTSIDE);
    dj_text_clear(&state->command_layer);
    dj_scan_blanks(&rest);
    if (dj_scan_word(&rest, "--latency") &&
        (rest.length == 0 || dj_scan_is_blank(rest.at[0]))) {
        state->command = DJ_SURFACE_LATENCY_COMMAND;
        set_command_layer(reader, rest);
    } else {
        state->command = dj_scan_word(&rest, "--list") ? DJ_SURFACE_LIST_COMMAND
                                                       : DJ_SURFACE_OTHER_COMMAND;
    }
    return true;
}

/* Returns whether a text may begin that has no fixed first line. Inside a process of
 * gfxinfo, such lines belong to the process. */
static bool may_begin(const struct dj_reader *reader)
{
    return reader->process == NULL || reader->expected_text == NULL;
}

bool dj_surface_read_unknown(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    bool began = read_command(reader, line);
    if (!began && may_begin(reader)) {
        struct dj_str bare = dj_surface_skip_log_prefix(line);
        began = bare.length > 0 && (dj_surface_begin_latency(reader, bare) ||
                                    dj_surface_begin_list(reader, bare));
    }
    state->content_seen = true;
    return began;
}

void dj_surface_read_elsewhere(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    if (!state->in_part && line.at[0] == 'S' &&
        dj_str_begins(line, "SurfaceFlinger TimeStats:")) {
        state->in_part = true;
    }
    if (!state->in_part || dj_surface_read_line(reader, line)) {
        return;
    }
    const struct dj_opener *opener = dj_reader_openers_find(line);
    if (opener != NULL && opener->kind == DJ_OPENER_SURFACE) {
        opener->read(reader, dj_str_from(line, strlen(opener->word)));
    } else if (opener == NULL) {
        dj_surface_read_unknown(reader, line);
    }
}
