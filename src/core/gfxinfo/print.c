#include "gfxinfo/print.h"

#include "gfxinfo/grammar.h"
#include "gfxinfo/print_private.h"

/* The form in which the rows of a window are printed. */
struct rows_form {
    const struct dj_dialect *dialect;
    const struct dj_column_list *columns;
    int64_t interval_ns;
    /* Whether the rows come from a ring buffer. If they come from text, every row was
     * printed. */
    bool from_ring;
    /* Columns that a complete row has. They are printed as empty if the row lacks
     * them. */
    uint64_t required;
    /* Window with the vendor columns, or NULL if there are no vendor columns. */
    const struct dj_dump_window *window;
    size_t skipped; /* Number of the window's oldest rows that are not printed. */
    /* Options of the caller. NULL if options->drain must not be called. */
    const struct dj_print_options *options;
};

/* Returns whether hwui would print the row: hwui omits frames that did not reach the
 * render thread. */
static bool is_row_printed(const struct dj_frame *frame, const struct rows_form *form)
{
    return !form->from_ring || dj_frame_get(frame, DJ_COLUMN_SYNC_START, 1) != 0;
}

/* Appends the value of a column. Appends the fallback instead of an unknown value. If the
 * column is required, appends nothing instead, so that a reader of the text sees that the
 * row is incomplete. The same applies to all columns of a row without any value. */
static void append_column(struct dj_text *text, const struct dj_frame *seen,
                          enum dj_column column, const struct rows_form *form)
{
    if (dj_frame_has(seen, column)) {
        dj_text_append_int(text, seen->value[column]);
    } else if (seen->known != 0 && (form->required & DJ_COLUMN_BIT(column)) == 0) {
        dj_text_append_int(text, dj_frame_fallback(seen, column, form->interval_ns));
    }
}

static void append_row(struct dj_text *text, const struct dj_frame *frame,
                       const struct dj_number *vendor, const struct rows_form *form,
                       uint64_t mask)
{
    /* A fallback value repeats the value of another column. The reader recognizes the
     * repetition only if the other column is printed, too. So columns that are not
     * printed are removed from this copy. */
    struct dj_frame seen = *frame;
    size_t vendor_count = vendor != NULL ? form->window->vendor_count : 0;
    size_t columns = 0;
    size_t vendors = 0;
    seen.known &= mask;
    while (columns < form->columns->count || vendors < vendor_count) {
        if (vendors < vendor_count &&
            dj_gfxinfo_dump_vendor_next(form->window, columns, vendors)) {
            if (vendor[vendors].known) {
                dj_text_append_int(text, vendor[vendors].value);
            }
            vendors++;
        } else {
            append_column(text, &seen, (enum dj_column)form->columns->column[columns++],
                          form);
        }
        dj_text_append(text, ",", 1);
    }
}

static void append_header(struct dj_text *text, const struct rows_form *form)
{
    size_t vendor_count = form->window != NULL ? form->window->vendor_count : 0;
    size_t columns = 0;
    size_t vendors = 0;
    while (columns < form->columns->count || vendors < vendor_count) {
        if (vendors < vendor_count &&
            dj_gfxinfo_dump_vendor_next(form->window, columns, vendors)) {
            dj_gfxinfo_print_name(text, form->window->vendor[vendors++].name);
        } else {
            enum dj_column column = (enum dj_column)form->columns->column[columns++];
            dj_text_add(text, dj_frame_dialect_column_name(form->dialect, column));
        }
        dj_text_append(text, ",", 1);
    }
}

/* Returns the vendor columns of a row, or NULL if the window has none. */
static const struct dj_number *get_vendor_values(const struct rows_form *form, size_t row)
{
    const struct dj_dump_window *window = form->window;
    return window != NULL && window->vendor_count > 0
               ? window->vendor_values + (form->skipped + row) * window->vendor_count
               : NULL;
}

static void drain_if_long(struct dj_text *text, const struct dj_print_options *options)
{
    if (options != NULL && options->drain != NULL &&
        text->length >= DJ_PRINT_DRAIN_BYTES) {
        options->drain(options->user, text);
    }
}

/* Appends the rows as CSV. Returns the columns that are unknown in a printed row. */
static uint64_t append_framestats(struct dj_text *text, const struct dj_frame *frames,
                                  size_t count, const struct rows_form *form)
{
    uint64_t mask = dj_frame_column_mask(form->columns);
    uint64_t unknown = 0;
    /* A newline precedes every line except the first one. */
    bool first = !form->dialect->has_header;
    dj_text_add(text, "\n\n" DJ_MARKER "\n");
    if (form->dialect->has_header) {
        append_header(text, form);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_row_printed(&frames[i], form)) {
            dj_text_add(text, first ? "" : "\n");
            first = false;
            append_row(text, &frames[i], get_vendor_values(form, i), form, mask);
            unknown |= mask & ~form->required & ~frames[i].known;
            drain_if_long(text, form->options);
        }
    }
    dj_text_add(text, first ? DJ_MARKER "\n\n" : "\n" DJ_MARKER "\n\n");
    return unknown;
}

void dj_gfxinfo_print_framestats(struct dj_text *text, const struct dj_frame *frames,
                                 size_t count, const struct dj_dialect *dialect,
                                 int64_t interval_ns)
{
    struct rows_form form = {.dialect = dialect,
                             .columns = &dialect->columns,
                             .interval_ns = interval_ns,
                             .from_ring = true};
    append_framestats(text, frames, count, &form);
}

/* hwui limits each value of the simple dump to the range 0 … 50 ms
 * (FrameInfoVisualizer.h). */
static void append_ms(struct dj_text *text, float ms)
{
    float clamped = ms > 50.0F ? 50.0F : ms;
    dj_text_format(text, "\t%3.2f", clamped > 0.0F ? (double)clamped : 0.0);
}

static void append_profile(struct dj_text *text, const struct dj_dump_window *window)
{
    bool prepare = !window->profile_lacks_prepare;
    dj_text_add(text,
                prepare ? "\n" DJ_PROFILE_HEADER_4 "\n" : "\n" DJ_PROFILE_HEADER_3 "\n");
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        append_ms(text, row->draw_ms);
        if (prepare) {
            append_ms(text, row->prepare_ms);
        }
        append_ms(text, row->process_ms);
        append_ms(text, row->execute_ms);
        dj_text_append(text, "\n", 1);
    }
}

static uint64_t append_window(struct dj_text *text, const struct dj_dump_window *window,
                              const struct dj_dump_process *process,
                              const struct dj_print_options *options)
{
    dj_text_add(text, "\n\t");
    dj_gfxinfo_print_name(text, window->title != NULL ? window->title : "");
    dj_text_format(text, DJ_VISIBILITY "%d)", window->visibility);
    if (window->has_profile) {
        append_profile(text, window);
    }
    if (!options->framestats) {
        return 0;
    }
    if (window->stats_title != NULL) {
        dj_text_add(text, "\n" DJ_WINDOW " ");
        dj_gfxinfo_print_name(text, window->stats_title);
    }
    bool counted = dj_gfxinfo_print_block(text, &window->stats, options->dialect);
    if (counted) {
        dj_text_add(text, options->dialect->block_end);
    }
    if (window->stats_title != NULL || counted) {
        dj_text_append(text, "\n", 1);
    }
    if (!window->has_frames) {
        return 0;
    }
    bool read = window->columns.count > 0;
    size_t skip = options->rows > 0 && window->frame_count > options->rows
                      ? window->frame_count - options->rows
                      : 0;
    struct rows_form form = {
        .dialect = options->dialect,
        .columns = read ? &window->columns : &options->dialect->columns,
        .interval_ns = process->interval_ns,
        .from_ring = !read,
        .required = read ? dj_gfxinfo_dump_required_columns(process, window) : 0,
        .window = window,
        .skipped = skip,
        .options = options,
    };
    return append_framestats(text, skip > 0 ? window->frames + skip : window->frames,
                             window->frame_count - skip, &form);
}

static void append_column_names(struct dj_text *text, uint64_t mask)
{
    const char *separator = " ";
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((mask & DJ_COLUMN_BIT(i)) != 0) {
            dj_text_add(text, separator);
            dj_text_add(text, dj_frame_column_name((enum dj_column)i));
            separator = ", ";
        }
    }
}

static void append_reason(struct dj_text *text, const char *note, const char *reason)
{
    if (reason != NULL) {
        dj_text_format(text, DJ_NOTE " %s ", note);
        dj_gfxinfo_print_name(text, reason);
        dj_text_append(text, "\n", 1);
    }
}

/* Appends dejank's notes. The note "process has ended" must be the last one, because
 * scripts check the end of a process section. */
static void append_notes(struct dj_text *text, const struct dj_dump_process *process,
                         uint64_t not_recorded)
{
    if (process->interval_ns > 0) {
        dj_text_format(text, DJ_NOTE " " DJ_NOTE_INTERVAL " %lldns%s\n",
                       (long long)process->interval_ns,
                       process->interval_assumed ? " " DJ_NOTE_ASSUMED : "");
    }
    if (not_recorded != 0) {
        dj_text_add(text, DJ_NOTE " " DJ_NOTE_NOT_RECORDED);
        append_column_names(text, not_recorded);
        dj_text_append(text, "\n", 1);
    }
    if (process->dropped > 0) {
        dj_text_format(text, DJ_NOTE " %llu " DJ_NOTE_DROPPED "\n",
                       (unsigned long long)process->dropped);
    }
    if (process->rows_kept > 0) {
        dj_text_format(text, DJ_NOTE " " DJ_NOTE_KEPT " %u\n", process->rows_kept);
    }
    if (process->expected >= 0) {
        dj_text_format(text, DJ_NOTE " " DJ_NOTE_RECOVERED " %lld of %lld frames\n",
                       (long long)process->recovered, (long long)process->expected);
    }
    if (process->recount.from != NULL) {
        const struct dj_dump_recount *recount = &process->recount;
        dj_text_format(text,
                       DJ_NOTE " " DJ_NOTE_RECORDED_AS " %s" DJ_NOTE_COUNTED_AS
                               "%s from the %llu" DJ_NOTE_STILL_KEPT "%llu\n",
                       recount->from->name, recount->to->name,
                       (unsigned long long)recount->kept,
                       (unsigned long long)recount->counted);
    }
    append_reason(text, DJ_NOTE_STOPPED, process->disabled);
    append_reason(text, DJ_NOTE_CUT_SHORT, process->cut_short);
    if (process->ended) {
        dj_text_add(text, DJ_NOTE " " DJ_NOTE_ENDED "\n");
    }
}

void dj_gfxinfo_print_process(struct dj_text *text, const struct dj_dump_process *process,
                              const struct dj_print_options *options)
{
    dj_text_format(text, "\n" DJ_PROCESS " %lld", (long long)process->pid);
    if (process->name != NULL) {
        dj_text_add(text, " [");
        dj_gfxinfo_print_name(text, process->name);
        dj_text_append(text, "]", 1);
    }
    dj_text_add(text, " **\n");
    if (dj_gfxinfo_print_block(text, &process->stats, options->dialect)) {
        dj_text_add(text, options->dialect->block_end);
    }
    if (process->pipeline != NULL) {
        dj_text_add(text, "\n" DJ_PIPELINE);
        dj_gfxinfo_print_name(text, process->pipeline);
        dj_text_append(text, "\n", 1);
    }
    dj_text_add(text, "\n" DJ_PROFILE "\n");
    uint64_t not_recorded = 0;
    for (size_t i = 0; i < process->window_count; i++) {
        not_recorded |= append_window(text, &process->windows[i], process, options);
    }
    if (text->length > 0 && text->data[text->length - 1] != '\n') {
        dj_text_append(text, "\n", 1);
    }
    dj_gfxinfo_print_hierarchy(text, process, options->dialect);
    append_notes(text, process,
                 options->framestats ? not_recorded : process->not_recorded);
}

void dj_gfxinfo_print_dump(struct dj_text *text, const struct dj_dump *dump,
                           const struct dj_print_options *options)
{
    if (dump->not_found != NULL) {
        dj_text_add(text, DJ_NOT_FOUND " ");
        dj_gfxinfo_print_name(text, dump->not_found);
        dj_text_append(text, "\n", 1);
        return;
    }
    dj_text_format(text, DJ_SERVICE "\n" DJ_UPTIME " %lld " DJ_REALTIME " %lld\n",
                   (long long)dump->uptime_ms, (long long)dump->realtime_ms);
    for (size_t i = 0; i < dump->process_count; i++) {
        dj_gfxinfo_print_process(text, &dump->processes[i], options);
    }
}
