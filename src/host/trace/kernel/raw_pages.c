#include "trace/kernel/raw_pages.h"

#include <dirent.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "trace/kernel/byte_cursor.h"
#include "trace/mapped_file.h"
#include "trace/text/numbers.h"

enum {
    PAGE = 4096, /* Assumed size of a page when the format is recognised, in bytes. */
    MOST_FILES = 1024,  /* Maximum number of CPUs, each with a file. */
    MOST_TEXT = 1 << 24 /* Maximum size of a description file in bytes. */
};

bool dj_raw_pages_sniff(const uint8_t *bytes, size_t length, size_t file_size)
{
    enum { DATA = 16, MISSED_BITS_SHIFT = 32, LENGTH_BITS = 27 };
    struct dj_byte_cursor at = {bytes, length, 8, false};
    uint64_t commit = dj_byte_cursor_read_number(&at, 8);
    uint64_t size = commit & ((UINT64_C(1) << LENGTH_BITS) - 1);
    /* Bit 31 means that events before the page are missing. Kernels sign-extend the
     * field, so all bits above it may be set too. */
    uint64_t upper = commit >> MISSED_BITS_SHIFT;
    bool missed = upper == UINT32_MAX && (commit >> 31 & 1) != 0;
    /* If the size of the file is not a multiple of a ring buffer's page, the file may
     * have another format. For example, the first bytes of a zip archive look like the
     * header of a page. */
    static const uint8_t zip[] = {'P', 'K', 3, 4};
    bool whole = file_size >= PAGE && file_size % PAGE == 0;
    bool likely =
        length >= sizeof(zip) && memcmp(bytes, zip, sizeof(zip)) != 0 && file_size > DATA;
    return !at.failed && (whole || likely) && (upper == 0 || missed) && size >= 8 &&
           size <= PAGE - DATA && size % 4 == 0;
}

/* Names of folders that may contain descriptions of events. These folders are next to the
 * files of the CPUs. */
static const char *const description_folders[] = {"formats", "events"};

/* Reads the page layout from the file header_page in a folder next to `path`. Returns
 * false if there is no such file. */
static bool find_layout(const char *path, struct dj_trace_ring_layout *layout)
{
    const char *slash = strrchr(path, '/');
    int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(description_folders) && !found; i++) {
        struct dj_trace_file file = {0};
        char *header =
            dj_xformat("%.*s%s/header_page", length, path, description_folders[i]);
        if (dj_trace_file_open(header, &file, NULL) == 0) {
            found = file.size > 0 && file.size <= MOST_TEXT &&
                    dj_trace_ring_read_layout(
                        (struct dj_str){(const char *)file.bytes, file.size}, layout,
                        NULL) == 0;
            dj_trace_file_close(&file);
        }
        free(header);
    }
    return found;
}

bool dj_raw_pages_sniff_described(const char *path, const uint8_t *bytes, size_t length,
                                  size_t file_size)
{
    struct dj_trace_ring_layout layout;
    struct dj_byte_cursor at = {bytes, length, 8, false};
    uint32_t commit = (uint32_t)dj_byte_cursor_read_number(&at, 4);
    uint32_t size = commit & DJ_RING_LENGTH;
    /* Bits between the length and the two flags. The kernel does not use them. */
    uint32_t unused = commit & (UINT32_C(7) << 27);
    return !at.failed && unused == 0 && size >= 8 && size % 4 == 0 &&
           find_layout(path, &layout) && file_size > layout.data_offset &&
           size <= layout.page_size - layout.data_offset;
}

/* The file of one CPU. */
struct raw_cpu {
    struct dj_trace_file file;
    struct dj_trace_file_trail trail;
    size_t at, page_size;
    uint8_t *last; /* Copy of the truncated last page, or NULL. Owned by this struct. */
    char name[64]; /* Name of the file, for error messages. */
    struct raw *raw;
};

struct raw {
    struct dj_trace_kernel kernel;
    struct raw_cpu cpus[MOST_FILES];
    size_t cpu_count;
    char *folder; /* Path of the folder that contains the files. Owned by this struct. */
    struct dj_trace_ring_time time;
    struct dj_event_sink sink;
    struct dj_trace_ring_summary *summary;
    struct dj_error *err;
};

/* Sets *page to a copy of the truncated page at the end of the file. The missing bytes of
 * the copy are zero. */
static void next_truncated_page(struct raw_cpu *cpu, const uint8_t **page)
{
    const struct dj_trace_ring_layout *layout = &cpu->raw->kernel.layout;
    enum { COMMIT = 8 };
    size_t left = cpu->file.size - cpu->at;
    uint32_t commit;
    cpu->raw->summary->damaged++;
    dj_trace_ring_note_damage(
        cpu->raw->summary, "%s: byte %zu: expected a page of %zu bytes, found %zu bytes",
        cpu->name, cpu->at, cpu->page_size, left);
    cpu->at = cpu->file.size;
    if (left <= layout->data_offset) {
        return;
    }
    cpu->last = dj_xcalloc(1, cpu->page_size);
    memcpy(cpu->last, cpu->file.bytes + cpu->file.size - left, left);
    memcpy(&commit, cpu->last + COMMIT, sizeof(commit));
    if ((commit & DJ_RING_LENGTH) > left - layout->data_offset) {
        commit = (commit & ~DJ_RING_LENGTH) | (uint32_t)(left - layout->data_offset);
        memcpy(cpu->last + COMMIT, &commit, sizeof(commit));
    }
    *page = cpu->last;
}

static int next_page(void *user, const uint8_t **page, struct dj_error *err)
{
    struct raw_cpu *cpu = user;
    (void)err;
    *page = NULL;
    dj_trace_file_free_before(&cpu->trail, cpu->file.bytes + cpu->at);
    if (cpu->file.size - cpu->at >= cpu->page_size) {
        *page = cpu->file.bytes + cpu->at;
        cpu->at += cpu->page_size;
    } else if (cpu->at < cpu->file.size) {
        next_truncated_page(cpu, page);
    }
    return 0;
}

static int read_text(struct raw *raw, const char *name, struct dj_str text)
{
    if (strcmp(name, "header_page") == 0) {
        return dj_trace_ring_read_layout(text, &raw->kernel.layout, raw->err);
    }
    if (strcmp(name, "saved_cmdlines") == 0) {
        return dj_trace_kernel_report_names(text, raw->sink);
    }
    if (strcmp(name, "saved_tgids") == 0) {
        return dj_trace_kernel_report_processes(text, raw->sink);
    }
    if (strcmp(name, "trace_clock") == 0) {
        dj_trace_kernel_get_clock_unit(dj_trace_kernel_get_selected_clock(text),
                                       &raw->time);
        return dj_trace_kernel_report_clock(text, &raw->time, raw->sink);
    }
    /* If a description is malformed, only the events that it describes cannot be read. */
    dj_trace_formats_add(&raw->kernel.formats, text, NULL);
    return 0;
}

static bool is_known(struct dj_str name)
{
    return dj_str_is(name, "format") || dj_str_ends(name, ".format") ||
           dj_str_is(name, "header_page") || dj_str_is(name, "saved_cmdlines") ||
           dj_str_is(name, "saved_tgids") || dj_str_is(name, "trace_clock");
}

/* Reads a small file with a description or with names. Does nothing if the file does not
 * exist. */
static int read_entry(struct raw *raw, const FTSENT *entry)
{
    struct dj_trace_file file;
    if (!is_known((struct dj_str){entry->fts_name, entry->fts_namelen})) {
        return 0;
    }
    int code = dj_trace_file_open(entry->fts_accpath, &file, raw->err);
    if (code == DJ_E_NOT_FOUND) {
        return 0;
    }
    if (code == 0 && file.size <= MOST_TEXT) {
        code = read_text(raw, entry->fts_name,
                         (struct dj_str){(const char *)file.bytes, file.size});
    }
    dj_trace_file_close(&file);
    return code;
}

static int read_folder(struct raw *raw, char *folder)
{
    enum { DEPTH = 4 };
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    int code = walk == NULL
                   ? dj_error_set(raw->err, DJ_E_IO, "cannot read the folder %s", folder)
                   : 0;
    FTSENT *entry;
    while (code == 0 && (entry = fts_read(walk)) != NULL) {
        if (entry->fts_info == FTS_F) {
            code = read_entry(raw, entry);
        } else if (entry->fts_info == FTS_D && entry->fts_level >= DEPTH) {
            fts_set(walk, entry, FTS_SKIP);
        }
    }
    if (walk != NULL) {
        fts_close(walk);
    }
    return code;
}

static int read_descriptions(struct raw *raw)
{
    int code = dj_trace_ring_read_layout((struct dj_str){NULL, 0}, &raw->kernel.layout,
                                         raw->err);
    for (size_t i = 0;
         i < COUNT_OF(description_folders) && code == 0 && raw->kernel.formats.count == 0;
         i++) {
        char *folder = dj_xformat("%s/%s", raw->folder, description_folders[i]);
        code = access(folder, F_OK) == 0 ? read_folder(raw, folder) : 0;
        free(folder);
    }
    if (code == 0 && raw->kernel.formats.count == 0) {
        return dj_error_set(
            raw->err, DJ_E_INVALID,
            "these are ring-buffer pages without descriptions; expected header_page and "
            "the formats of the events in a folder named formats next to them");
    }
    return code;
}

/* Finds the number after the last "cpu" in a file name, for example "12" in
 * "trace_cpu12.raw". Returns false if there is no such number. */
static bool find_number(const char *name, size_t *from, size_t *to)
{
    const char *cpu = NULL;
    for (const char *at = name; (at = strstr(at, "cpu")) != NULL; at += 3) {
        cpu = at[3] >= '0' && at[3] <= '9' ? at : cpu;
    }
    if (cpu == NULL) {
        return false;
    }
    *from = (size_t)(cpu - name) + 3;
    *to = *from + strspn(cpu + 3, "0123456789");
    return true;
}

static int add_file(struct raw *raw, const char *name, int32_t cpu)
{
    struct raw_cpu *added = &raw->cpus[raw->cpu_count];
    if (raw->cpu_count == MOST_FILES) {
        return dj_error_set(raw->err, DJ_E_LIMIT,
                            "the folder contains files of more than %d CPUs",
                            (int)MOST_FILES);
    }
    char *path = dj_xformat("%s/%s", raw->folder, name);
    int code = dj_trace_file_open(path, &added->file, raw->err);
    free(path);
    if (code == 0) {
        added->trail.mapped = added->file.mapped;
        snprintf(added->name, sizeof(added->name), "%s", name);
        raw->cpu_count++;
        dj_trace_kernel_add_cpu(&raw->kernel, cpu);
    }
    return code;
}

static int add_companions(struct raw *raw, const char *name, size_t from, size_t to)
{
    DIR *folder = opendir(raw->folder);
    int code = folder == NULL ? dj_error_set(raw->err, DJ_E_IO,
                                             "cannot read the folder %s", raw->folder)
                              : 0;
    struct dirent *entry;
    while (code == 0 && (entry = readdir(folder)) != NULL) {
        size_t found_from, found_to;
        int64_t cpu;
        if (find_number(entry->d_name, &found_from, &found_to) && found_from == from &&
            strncmp(entry->d_name, name, from) == 0 &&
            strcmp(entry->d_name + found_to, name + to) == 0 &&
            dj_number_parse_int(
                (struct dj_str){entry->d_name + found_from, found_to - found_from},
                &cpu) &&
            cpu <= INT32_MAX) {
            code = add_file(raw, entry->d_name, (int32_t)cpu);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return code;
}

static int add_cpus(struct raw *raw, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t from, to;
    raw->folder = slash == NULL
                      ? dj_xstrdup(".")
                      : dj_xcopy(path, (size_t)(slash - path) + (slash == path));
    return find_number(name, &from, &to) ? add_companions(raw, name, from, to)
                                         : add_file(raw, name, 0);
}

int dj_raw_pages_read(const char *path, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err)
{
    struct raw *raw = dj_xcalloc(1, sizeof(*raw));
    struct dj_trace_kernel *kernel = &raw->kernel;
    raw->sink = sink;
    raw->summary = summary;
    raw->err = err;
    int code = add_cpus(raw, path);
    code = code != 0 ? code : read_descriptions(raw);
    kernel->layout.time = raw->time;
    for (size_t i = 0; i < raw->cpu_count; i++) {
        raw->cpus[i].page_size = kernel->layout.page_size;
        raw->cpus[i].raw = raw;
        kernel->cpus[i].source = (struct dj_trace_ring_source){next_page, &raw->cpus[i]};
    }
    if (code == 0) {
        code = dj_trace_ring_read(&kernel->layout, &kernel->formats, kernel->cpus,
                                  kernel->cpu_count, sink, summary, err);
    }
    for (size_t i = 0; i < raw->cpu_count; i++) {
        dj_trace_file_close(&raw->cpus[i].file);
        free(raw->cpus[i].last);
    }
    dj_trace_kernel_finish(kernel);
    free(raw->folder);
    free(raw);
    return code;
}
