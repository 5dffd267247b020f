#include "import/run_file.h"

#include <libgen.h>
#include <sys/stat.h>
#include <time.h>

#include "gfxinfo/print.h"
#include "input/read.h"
#include "memory/memory.h"

/* Appends all texts of the file. For an archive, these are its entries, one after the
 * other. */
static int read_raw(const char *path, struct dj_text *raw, struct dj_error *err)
{
    struct dj_input_reader *reader = NULL;
    struct dj_input_part part = {0};
    raw->maximum = DJ_EVIDENCE_BYTES_MAX;
    int result = dj_input_open(&reader, path, err);
    if (result == 0) {
        dj_input_repair_text(reader);
    }
    while (result == 0 && (result = dj_input_next(reader, &part, err)) == 0 &&
           part.kind != DJ_PART_NONE) {
        if (part.kind != DJ_PART_TEXT) {
            result = dj_error_set(err, DJ_E_INVALID,
                                  "%s: graphicsstats are daily sums, not a run: expected "
                                  "gfxinfo text or a log of frames",
                                  dj_input_name(path));
        }
        result = result == 0 ? dj_input_read_part(reader, raw, err) : result;
    }
    dj_input_close(reader);
    if (result == 0 && raw->full) {
        result = dj_error_set(err, DJ_E_LIMIT,
                              "%s: larger than the maximum of %d MiB for one run",
                              dj_input_name(path), DJ_EVIDENCE_BYTES_MAX >> 20);
    }
    return result;
}

static int64_t get_modification_time_ms(const char *path)
{
    struct stat status;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0) {
        now = status.st_mtim;
    }
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Derives the name of a program from the name of its log. MangoHud names its logs
 * "PROGRAM_DATE…". For other names, removes the extension. The caller frees the name. */
static char *derive_program_name(const char *path)
{
    char *copy = dj_xstrdup(strcmp(path, "-") == 0 ? "unknown" : path);
    char *name = dj_xstrdup(basename(copy));
    free(copy);
    for (char *at = name; *at != '\0'; at++) {
        int year;
        int month;
        int day;
        if (at > name && sscanf(at, "_%4d-%2d-%2d", &year, &month, &day) == 3) {
            *at = '\0';
            return name;
        }
    }
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    return name;
}

static void report_at(const struct dj_import_file *file, size_t line, const char *message)
{
    if (line > 0) {
        dj_message(file->messages, "%s:%zu: %s", file->source, line, message);
    } else {
        dj_message(file->messages, "%s: %s", file->source, message);
    }
}

static void report_log_notes(const struct dj_import_file *file)
{
    const struct dj_log *log = &file->log;
    size_t stored_count = log->note_count < DJ_LOG_NOTES ? log->note_count : DJ_LOG_NOTES;
    for (size_t i = 0; i < stored_count; i++) {
        report_at(file, log->notes[i].line, log->notes[i].message);
    }
    if (log->note_count > stored_count) {
        dj_message(file->messages, "%s: %zu more notes", file->source,
                   log->note_count - stored_count);
    }
}

/* Appends the frames of a run of the log as gfxinfo text. */
static void print_run(const struct dj_log *log, size_t run, const char *fallback_name,
                      struct dj_text *text)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    struct dj_dump dump;
    dj_import_write_dump(log, run, fallback_name, &dump);
    dj_gfxinfo_print_dump(text, &dump, &options);
    dj_gfxinfo_dump_finish(&dump);
    dj_xtext(text);
}

/* Returns whether the log lacks the name of the process that its current run measured. */
static bool is_process_unknown(const struct dj_import_file *file)
{
    for (size_t i = 0; i < file->log.stream_count; i++) {
        const struct dj_log_stream *stream = &file->log.streams[i];
        if (stream->run == file->log_run && stream->process != NULL) {
            return false;
        }
    }
    return true;
}

/* Converts a run of the log to gfxinfo text and reads this text. Afterwards, file->raw is
 * still the log. Returns whether the text is a run. */
static bool read_run(const char *fallback_name, const char *package,
                     struct dj_import_file *file)
{
    struct dj_text printed = {0};
    struct dj_text log = file->raw;
    print_run(&file->log, file->log_run, package != NULL ? package : fallback_name,
              &printed);
    file->raw = printed;
    bool is_run = dj_import_gfxinfo(fallback_name, package, file);
    if (file->text.length == 0) {
        file->text = file->raw;
    } else {
        dj_text_finish(&file->raw);
    }
    file->raw = log;
    file->format = dj_log_name(&file->log);
    file->package_unknown = is_process_unknown(file);
    return is_run;
}

/* Returns true if the run measured the process `package`, or a process without a name. A
 * run measured only one process, so one stream with another name is enough to return
 * false. */
static bool is_requested(const struct dj_log *log, size_t run, const char *package)
{
    for (size_t i = 0; i < log->stream_count; i++) {
        const char *process = log->streams[i].process;
        if (log->streams[i].run == run && process != NULL &&
            strcmp(process, package) != 0) {
            return false;
        }
    }
    return true;
}

/* Returns the index of the first requested run from file->log_run on, or the number of
 * runs if there is none. */
static size_t find_requested_run(const struct dj_import_file *file, const char *package)
{
    size_t run = file->log_run;
    while (run < file->log.run_count && package != NULL &&
           !is_requested(&file->log, run, package)) {
        run++;
    }
    return run;
}

static bool read_log(const char *fallback_name, const char *package,
                     struct dj_import_file *file)
{
    struct dj_error err = {0};
    int result = dj_xcode(
        dj_import_read_log(dj_xtext(&file->raw), file->raw.length, &file->log, &err));
    report_log_notes(file);
    if (result != 0) {
        report_at(file, file->log.error_line, err.message);
        return false;
    }
    size_t first = find_requested_run(file, package);
    file->log_run = first < dj_import_count_runs(&file->log) ? first : 0;
    return read_run(fallback_name, package, file);
}

/* Frees and resets the fields that describe one run, and not the whole file. */
static void reset_run(struct dj_import_file *file)
{
    dj_text_finish(&file->text);
    free(file->package);
    file->package = NULL;
    dj_import_forget_windows(file);
    file->outcome = DJ_RUN_OK;
    file->reason[0] = '\0';
    file->span = (struct dj_span){0};
    file->frames = 0;
}

bool dj_import_next(const char *path, const char *package, struct dj_import_file *file,
                    bool *is_run)
{
    file->log_run++;
    size_t run = find_requested_run(file, package);
    if (run >= file->log.run_count) {
        return false;
    }
    char *fallback_name = derive_program_name(path);
    reset_run(file);
    file->log_run = run;
    *is_run = read_run(fallback_name, package, file);
    free(fallback_name);
    return true;
}

bool dj_import_read(const char *path, const char *package,
                    const struct dj_messages *messages, struct dj_import_file *file)
{
    struct dj_error err = {0};
    *file = (struct dj_import_file){.source = dj_input_name(path),
                                    .messages = messages,
                                    .written_unix_ms = get_modification_time_ms(path)};
    if (dj_xcode(read_raw(path, &file->raw, &err)) != 0) {
        dj_message(messages, "%s", err.message);
        return false;
    }
    const char *bytes = dj_xtext(&file->raw);
    size_t length = file->raw.length;
    dj_store_sha256_of_bytes(bytes, length, file->sha256);
    char *fallback_name = derive_program_name(path);
    bool is_run = dj_import_is_log(bytes, length) || length == 0
                      ? read_log(fallback_name, package, file)
                      : dj_import_gfxinfo(fallback_name, package, file);
    free(fallback_name);
    return is_run;
}

void dj_import_finish(struct dj_import_file *file)
{
    reset_run(file);
    dj_text_finish(&file->raw);
    dj_import_finish_log(&file->log);
    *file = (struct dj_import_file){0};
}

const char *dj_import_find_fact(const struct dj_import_file *file, const char *name)
{
    for (size_t i = 0; i < file->log.fact_count; i++) {
        if (strcasecmp(file->log.facts[i].name, name) == 0) {
            return file->log.facts[i].value;
        }
    }
    return NULL;
}

void dj_import_append_device(const struct dj_import_file *file, struct dj_text *device)
{
    const char *cpu = dj_import_find_fact(file, "cpu");
    const char *gpu = dj_import_find_fact(file, "gpu");
    cpu = cpu != NULL ? cpu : dj_import_find_fact(file, "Processor");
    dj_text_add(device, cpu != NULL ? cpu : "");
    dj_text_add(device, cpu != NULL && gpu != NULL ? ", " : "");
    dj_text_add(device, gpu != NULL ? gpu : "");
}
