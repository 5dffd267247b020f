#include "import/run_file.h"

#include "import/dump_input.h"
#include "memory/memory.h"

enum { NAMES_MOST = 64 }; /* Maximum number of different process names in a file. */

/* The contents of the dumps in a text: processes, frames and windows. */
struct survey {
    const char *package; /* Name of the requested process, or NULL for any process. */
    char *names[NAMES_MOST];
    size_t frames[NAMES_MOST];
    size_t name_count;
    struct dj_import_file *file;
};

static bool is_requested(const struct survey *survey,
                         const struct dj_dump_process *process)
{
    char pid[24];
    snprintf(pid, sizeof(pid), "%lld", (long long)process->pid);
    return survey->package == NULL || process->name == NULL ||
           strcmp(survey->package, process->name) == 0 ||
           strcmp(survey->package, pid) == 0;
}

static size_t count_frames(const struct dj_dump_process *process)
{
    size_t rows = 0;
    for (size_t i = 0; i < process->window_count; i++) {
        rows += process->windows[i].frame_count + process->windows[i].profile_count;
    }
    return rows > 0 ? rows : process->stats.stats.counter[DJ_COUNTER_TOTAL];
}

static void add_process(struct survey *survey, const struct dj_dump_process *process)
{
    const char *name = process->name != NULL ? process->name : "";
    for (size_t i = 0; i < survey->name_count; i++) {
        if (strcmp(survey->names[i], name) == 0) {
            survey->frames[i] += count_frames(process);
            return;
        }
    }
    if (survey->name_count < NAMES_MOST) {
        survey->names[survey->name_count] = dj_xstrdup(name);
        survey->frames[survey->name_count++] = count_frames(process);
    }
}

static void extend_span(struct dj_span *span, const struct dj_span *other)
{
    if (other->start_ns > 0) {
        span->start_ns = span->start_ns == 0 || other->start_ns < span->start_ns
                             ? other->start_ns
                             : span->start_ns;
        span->end_ns = other->end_ns > span->end_ns ? other->end_ns : span->end_ns;
    }
}

/* Returns the time from the start of the first frame to 1 ns after the start of the last
 * frame, or 0 and 0 if no start is known. */
static struct dj_span compute_span(const struct dj_dump_window *window)
{
    struct dj_span span = {0};
    for (size_t i = 0; i < window->frame_count; i++) {
        int64_t start_ns = dj_frame_get_time(&window->frames[i], 0);
        int64_t after_ns = start_ns < INT64_MAX ? start_ns + 1 : INT64_MAX;
        if (start_ns > 0) {
            extend_span(&span, &(struct dj_span){start_ns, after_ns});
        }
    }
    return span;
}

/* Adds the frames of a window of the dump to the window of the run with the same title,
 * and to the time span of the run. Windows of a run are time spans. If two windows
 * overlap, some frames would be in both, so judge_text() then removes all windows. */
static void add_window(struct survey *survey, const struct dj_dump_window *window)
{
    struct dj_import_file *file = survey->file;
    struct dj_span span = compute_span(window);
    extend_span(&file->span, &span);
    if (window->title == NULL || span.start_ns == 0) {
        return;
    }
    for (size_t i = 0; i < file->window_count; i++) {
        struct dj_store_window *other = &file->windows[i];
        if (strcmp(other->name, window->title) == 0) {
            extend_span(&other->span, &span);
            return;
        }
    }
    DJ_XPUSH(file->windows, file->window_count,
             (struct dj_store_window){dj_xstrdup(window->title), span});
}

static int survey_dump(void *data, struct dj_parsed *parsed)
{
    struct survey *survey = data;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        const struct dj_dump_process *process = &parsed->dump.processes[i];
        add_process(survey, process);
        if (!is_requested(survey, process)) {
            continue;
        }
        survey->file->frames += count_frames(process);
        for (size_t k = 0; k < process->window_count; k++) {
            add_window(survey, &process->windows[k]);
        }
    }
    return 0;
}

void dj_import_forget_windows(struct dj_import_file *file)
{
    for (size_t i = 0; i < file->window_count; i++) {
        free((char *)file->windows[i].name);
    }
    free(file->windows);
    file->windows = NULL;
    file->window_count = 0;
}

static bool windows_overlap(const struct dj_import_file *file)
{
    for (size_t i = 0; i < file->window_count; i++) {
        for (size_t k = i + 1; k < file->window_count; k++) {
            const struct dj_span *a = &file->windows[i].span;
            const struct dj_span *b = &file->windows[k].span;
            if (a->start_ns < b->end_ns && b->start_ns < a->end_ns) {
                return true;
            }
        }
    }
    return false;
}

/* Parses all dumps of a text and adds their contents to the survey. */
static void survey_text(const char *source, const struct dj_text *text,
                        struct survey *survey, struct dj_dump_input *input)
{
    dj_import_input_init(input, source, NULL, survey_dump, survey);
    dj_import_input_feed(input, dj_xtext(text), text->length);
    dj_import_input_end_text(input);
    dj_import_input_end(input);
}

static void free_names(struct survey *survey)
{
    for (size_t i = 0; i < survey->name_count; i++) {
        free(survey->names[i]);
    }
    survey->name_count = 0;
}

/* Returns the requested process, or the only process that has drawn frames. If there is
 * no such process, sends a message and returns NULL. */
static const char *choose_process(const struct survey *survey,
                                  const struct dj_import_file *file)
{
    struct dj_text list = {0};
    const char *chosen = NULL;
    size_t drawn_count = 0;
    for (size_t i = 0; i < survey->name_count; i++) {
        const char *name = survey->names[i];
        dj_text_format(&list, "%s%s", i > 0 ? ", " : "", name[0] != '\0' ? name : "?");
        if (survey->package != NULL && strcmp(name, survey->package) == 0) {
            dj_text_finish(&list);
            return name;
        }
        if (survey->frames[i] > 0 || survey->name_count == 1) {
            chosen = name;
            drawn_count++;
        }
    }
    bool nameless = chosen != NULL && chosen[0] == '\0';
    if (survey->package != NULL && (drawn_count != 1 || !nameless)) {
        dj_message(file->messages, "%s: expected a process '%s', found %s", file->source,
                   survey->package, dj_xtext(&list));
        chosen = NULL;
    } else if (drawn_count != 1) {
        dj_message(file->messages,
                   "%s: contains several processes; choose one with --package: %s",
                   file->source, dj_xtext(&list));
        chosen = NULL;
    }
    dj_text_finish(&list);
    return chosen;
}

/* Returns whether a line belongs to the process `name`. The line "** Graphics info for
 * pid 12 [com.x] **" begins the section of a process. Any other line belongs to the same
 * process as the line before, so the result is `before`. */
static bool belongs_to_process(const char *line, size_t length, const char *name,
                               bool before)
{
    static const char mark[] = "** Graphics info for pid ";
    const char *at = memmem(line, length, mark, sizeof(mark) - 1);
    if (at == NULL) {
        return before;
    }
    const char *open = memchr(at, '[', (size_t)(line + length - at));
    size_t rest = open != NULL ? (size_t)(line + length - open) - 1 : 0;
    return rest > strlen(name) && memcmp(open + 1, name, strlen(name)) == 0 &&
           open[1 + strlen(name)] == ']';
}

/* Appends the lines of one process, and the lines before the first process. */
static void append_process_lines(const struct dj_text *raw, const char *name,
                                 struct dj_text *text)
{
    const char *at = dj_xtext(raw);
    const char *end = at + raw->length;
    bool ours = true;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline != NULL ? (size_t)(newline - at) + 1 : (size_t)(end - at);
        ours = belongs_to_process(at, length, name, ours);
        dj_text_append(text, at, ours ? length : 0);
        at += length;
    }
}

static enum dj_run_outcome get_outcome(const struct dj_dump_input *input)
{
    return input->outcome == DJ_OUTCOME_OK           ? DJ_RUN_OK
           : input->outcome == DJ_OUTCOME_NO_PROCESS ? DJ_RUN_APP_GONE
                                                     : DJ_RUN_NO_FRAMES;
}

/* Sends the message for a file that is neither gfxinfo text nor a log. The message is the
 * error of the reader of logs, which lists all accepted formats. */
static void report_unknown_format(const struct dj_import_file *file,
                                  const struct dj_text *text)
{
    struct dj_log log;
    struct dj_error err = {0};
    dj_import_read_log(dj_xtext(text), text->length, &log, &err);
    dj_message(file->messages, "%s:%zu: %s", file->source,
               log.error_line > 0 ? log.error_line : 1, err.message);
    dj_import_finish_log(&log);
}

/* Reads the text of the chosen process, and sets the outcome, frames and windows of the
 * run. Returns whether the text is a run. */
static bool judge_text(const char *package, struct dj_import_file *file)
{
    const struct dj_text *text = file->text.length > 0 ? &file->text : &file->raw;
    struct survey survey = {.package = package, .file = file};
    static struct dj_dump_input input;
    survey_text(file->source, text, &survey, &input);
    file->outcome = get_outcome(&input);
    if (file->outcome != DJ_RUN_OK) {
        snprintf(file->reason, sizeof(file->reason), "%.200s", input.error.message);
    }
    bool refused = input.outcome == DJ_OUTCOME_NOT_GFXINFO;
    if (refused) {
        report_unknown_format(file, text);
    } else {
        dj_import_input_describe(&input, file->messages);
    }
    dj_import_input_finish(&input);
    free_names(&survey);
    if (file->window_count < 2 || windows_overlap(file)) {
        dj_import_forget_windows(file);
    }
    return !refused;
}

bool dj_import_gfxinfo(const char *fallback_name, const char *package,
                       struct dj_import_file *file)
{
    static struct dj_dump_input input;
    struct dj_import_file ignored = {0};
    struct survey survey = {.package = package, .file = &ignored};
    bool is_run = true;
    const char *name = NULL;
    survey_text(file->source, &file->raw, &survey, &input);
    file->format = "gfxinfo";
    if (survey.name_count > 0) {
        name = choose_process(&survey, file);
        is_run = name != NULL;
    }
    if (is_run) {
        bool named = name != NULL && name[0] != '\0';
        file->package_unknown = !named;
        file->package = dj_xstrdup(named             ? name
                                   : package != NULL ? package
                                                     : fallback_name);
        if (named && survey.name_count > 1) {
            append_process_lines(&file->raw, name, &file->text);
        }
        dj_xtext(&file->text);
        is_run = judge_text(named ? name : NULL, file);
    }
    dj_import_forget_windows(&ignored);
    free_names(&survey);
    dj_import_input_finish(&input);
    return is_run;
}
