#include "report/dump_forms.h"

#include "import/dump_input.h"
#include "import/parsed_dump.h"
#include "input/read.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/dump/csv.h"
#include "report/dump/dump.h"
#include "report/dump/jank.h"

enum {
    /* Minimum size in bytes of the pieces in which the output is printed. */
    PRINT_BYTES = 1 << 20,
    /* Number of bytes of rows after which the header of the CSV is written. */
    CSV_BYTES = 4 << 20
};

/* The contents of an input. If an output format of rows has no row of the input, a
 * message names the contents and the options that show them. */
struct holdings {
    size_t shown; /* Number of rows of the input that are in the output. */
    size_t frames,
        /* Numbers of rows of framestats and of rows of the simple dump, including
         * truncated ones. */
        profile;
    size_t sums;     /* Number of statistics blocks that counted frames. */
    size_t packages; /* Number of entries of graphicsstats. */
    size_t daveys;
    size_t layers; /* Number of layers of SurfaceFlinger. */
};

struct writer {
    const struct dj_messages *messages;
    const struct dj_forming *forming;
    struct dj_text *out;
    struct dj_dump_json json;
    struct dj_dump_csv csv;
    struct dj_dump_page page;
    struct holdings holdings; /* Contents of the current input. */
    /* True if a blank line must separate the next page from this one. */
    bool after_page;
    struct dj_error *error;
};

static bool counted(const struct dj_stats_block *block)
{
    return block->present && block->stats.counter[DJ_COUNTER_TOTAL] > 0;
}

static void add_holdings(struct holdings *holdings, const struct dj_parsed *parsed)
{
    const struct dj_dump *dump = &parsed->dump;
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        holdings->sums += counted(&process->stats);
        for (size_t k = 0; k < process->window_count; k++) {
            const struct dj_dump_window *window = &process->windows[k];
            holdings->sums += counted(&window->stats);
            holdings->frames += window->frame_count;
            holdings->profile += window->profile_count;
        }
    }
    holdings->packages += dump->graphicsstats_count;
    holdings->daveys += dump->davey_count;
    holdings->layers += dump->surfaces.count;
}

/* Appends why the output has no row of the input, and which options show its contents.
 * Appends nothing if the output has a row or its format does not consist of rows. Also
 * appends nothing if the input is empty, because another message reports that. */
static void describe_holdings(struct dj_text *text, const struct holdings *holdings,
                              enum dj_form form)
{
    static const char plain[] = "dejank parse without options shows them";
    static const struct {
        /* Name of the rows that the output lacks, or NULL if the format does not consist
         * of rows. */
        const char *lacks;
        const char *frames_by, *profile_by;
    } forms[] = {
        [DJ_FORM_PAGE] = {0},
        [DJ_FORM_JSON] = {0},
        [DJ_FORM_CSV] = {"no complete framestats row, so the CSV has none",
                         "truncated; --frames shows them", "--csv=profile shows them"},
        [DJ_FORM_CSV_PROFILE] =
            {"no complete row of the simple dump, so the CSV has none",
             "--csv shows them", "truncated; --json --rows shows them"},
        [DJ_FORM_TABLE] = {"no framestats row, so the table has none", "",
                           "--csv=profile shows them"},
        [DJ_FORM_JANK] = {"no framestats row, so no jank rule has a figure", "",
                          "--csv=profile shows them"},
    };
    const struct {
        size_t count;
        const char *one, *more, *shown_by;
    } parts[] = {
        {holdings->frames, "framestats row", "framestats rows", forms[form].frames_by},
        {holdings->profile, "row of the simple dump", "rows of the simple dump",
         forms[form].profile_by},
        {holdings->sums, "statistics block", "statistics blocks", plain},
        {holdings->packages, "graphicsstats entry", "graphicsstats entries", plain},
        {holdings->daveys, "Davey! line", "Davey! lines", plain},
        {holdings->layers, "layer of SurfaceFlinger", "layers of SurfaceFlinger", plain},
    };
    if (forms[form].lacks == NULL || holdings->shown > 0) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (parts[i].count > 0) {
            bool first = text->length == 0;
            dj_text_format(text, "%s%s%zu %s (%s)", first ? forms[form].lacks : "",
                           first ? "; it contains " : ", ", parts[i].count,
                           parts[i].count == 1 ? parts[i].one : parts[i].more,
                           parts[i].shown_by);
        }
    }
}

static void begin_input(struct writer *writer, const char *source)
{
    if (writer->forming->form == DJ_FORM_JSON) {
        dj_report_begin_json_input(writer->out, source);
    } else if (writer->forming->form == DJ_FORM_PAGE) {
        dj_text_add(writer->out, writer->after_page ? "\n" : "");
        writer->page.style = writer->forming->style;
        writer->page.with_details = writer->forming->with_details;
        writer->after_page = true;
    }
}

static void write_dump(struct writer *writer, const struct dj_parsed *parsed)
{
    struct dj_text *out = writer->out;
    size_t *shown = &writer->holdings.shown;
    switch (writer->forming->form) {
    case DJ_FORM_PAGE:
        dj_report_write_page_dump(out, &writer->page, parsed);
        break;
    case DJ_FORM_JSON:
        dj_report_write_json_dump(out, &writer->json, parsed, writer->forming->rows);
        break;
    case DJ_FORM_CSV:
        *shown += dj_report_write_dump_csv_rows(&writer->csv, out, parsed);
        break;
    case DJ_FORM_CSV_PROFILE:
        *shown += dj_report_write_profile_csv_rows(out, parsed);
        break;
    case DJ_FORM_TABLE:
        *shown += dj_report_write_dump_table(out, parsed);
        break;
    case DJ_FORM_JANK:
        *shown += dj_dump_write_jank_rule(out, parsed, writer->forming->jank_rule);
        break;
    }
}

static void end_input(struct writer *writer, const struct dj_dump_input *input)
{
    if (writer->forming->form == DJ_FORM_JSON) {
        dj_report_end_json_input(writer->out, &writer->json, input);
    } else if (writer->forming->form == DJ_FORM_PAGE) {
        dj_report_end_page(writer->out, &writer->page, input);
    }
}

/* Prints the output except its last `kept` bytes. The writer of JSON needs the last byte
 * to know whether a comma must follow. */
static int print_some(struct writer *writer, size_t kept)
{
    struct dj_text *out = writer->out;
    struct dj_text safe = {0};
    dj_xtext(out);
    if (out->length <= kept) {
        return 0;
    }
    char last = out->data[out->length - 1];
    out->length -= kept;
    /* The page, the table and the lines of jank rules are escaped here. JSON and CSV
     * already escape control characters in names. */
    enum dj_form form = writer->forming->form;
    bool escapes = form != DJ_FORM_PAGE && form != DJ_FORM_TABLE && form != DJ_FORM_JANK;
    if (!escapes) {
        dj_text_append_escaped(&safe, out->data, out->length);
    }
    int result = dj_output_print(escapes ? out : &safe, writer->error);
    dj_text_clear(out);
    dj_text_append(out, &last, kept);
    dj_text_finish(&safe);
    return result;
}

static int write_and_print(void *data, struct dj_parsed *parsed)
{
    struct writer *writer = data;
    write_dump(writer, parsed);
    add_holdings(&writer->holdings, parsed);
    bool unsettled = writer->forming->form == DJ_FORM_CSV && !writer->csv.settled;
    bool print = writer->forming->print &&
                 writer->out->length > (unsettled ? CSV_BYTES : PRINT_BYTES);
    if (print && unsettled) {
        dj_report_insert_dump_csv_header(&writer->csv, writer->out);
    }
    return print ? print_some(writer, 1) : 0;
}

/* Writes the header of the CSV before all rows are known. Reports the extra columns that
 * are therefore missing. */
static void settle_csv(struct writer *writer)
{
    dj_report_insert_dump_csv_header(&writer->csv, writer->out);
    if (writer->csv.lost > 0) {
        dj_message(writer->messages,
                   "the CSV lacks %zu columns that no release has: the header is "
                   "written after %d MiB of rows and has at most %d of them",
                   writer->csv.lost, CSV_BYTES >> 20, DJ_DUMP_CSV_EXTRA_COLUMNS);
    }
}

/* Sends a message if the output format consists of rows and has no row of the input. */
static void report_holdings(struct writer *writer, const char *source)
{
    struct dj_text words = {0};
    describe_holdings(&words, &writer->holdings, writer->forming->form);
    if (words.length > 0) {
        dj_message(writer->messages, "%s: %s", source, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

static int write_input(struct writer *writer, const char *path, bool *all_ok)
{
    struct dj_dump_input input;
    writer->holdings = (struct holdings){0};
    begin_input(writer, dj_input_name(path));
    int result = dj_import_input_read(path, writer->forming->release, writer->messages,
                                      write_and_print, writer, &input);
    if (result == 0) {
        *all_ok = dj_import_input_describe(&input, writer->messages) && *all_ok;
        report_holdings(writer, input.source);
        end_input(writer, &input);
    }
    dj_import_input_finish(&input);
    return result;
}

int dj_report_dumps(const struct dj_forming *forming, int count, char **paths,
                    const struct dj_messages *messages, struct dj_text *out, bool *all_ok,
                    struct dj_error *err)
{
    struct writer writer = {
        .messages = messages, .forming = forming, .out = out, .error = err};
    *all_ok = true;
    int result = 0;
    if (forming->form == DJ_FORM_JSON) {
        dj_report_open_json(out);
    } else if (forming->form == DJ_FORM_CSV_PROFILE) {
        dj_report_write_profile_csv_header(out);
    }
    for (int i = 0; i < count && result == 0; i++) {
        result = write_input(&writer, paths[i], all_ok);
    }
    if (result == 0 && forming->form == DJ_FORM_CSV) {
        settle_csv(&writer);
    } else if (result == 0 && forming->form == DJ_FORM_JSON) {
        dj_report_close_json(out);
    }
    if (result == 0 && forming->print) {
        result = print_some(&writer, 0);
    }
    dj_text_finish(&writer.json.graphicsstats);
    dj_text_finish(&writer.json.daveys);
    dj_text_finish(&writer.json.surfaces);
    dj_report_finish_dump_csv(&writer.csv);
    dj_report_finish_page(&writer.page);
    return result;
}

void dj_report_write_text_json(struct dj_text *out, const char *source,
                               const struct dj_text *gfxinfo,
                               const struct dj_dialect *release)
{
    const struct dj_forming forming = {
        .form = DJ_FORM_JSON, .rows = true, .release = release};
    struct writer writer = {.forming = &forming, .out = out};
    struct dj_dump_input input;
    dj_report_open_json(out);
    begin_input(&writer, source);
    dj_import_input_init(&input, source, release, write_and_print, &writer);
    dj_import_input_feed(&input, dj_text_get(gfxinfo), gfxinfo->length);
    dj_import_input_end_text(&input);
    dj_import_input_end(&input);
    end_input(&writer, &input);
    dj_import_input_finish(&input);
    dj_report_close_json(out);
}
