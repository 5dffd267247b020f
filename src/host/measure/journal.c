/*
 * Example of the file:
 *
 *   dejank-journal 1
 *   device	127.0.0.1:5601
 *   global	window_animation_scale	=0.5
 *   property	debug.hwui.profile	-
 *
 * Tabs separate the fields. A tab, newline or backslash in a field is written as \t, \n
 * or \\. If the last line does not end with a newline, dejank was killed while it wrote
 * the line. The change in this line was then not made.
 */
#include "measure/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "measure/state_folder.h"
#include "memory/memory.h"
#include "output/stream.h"

#define HEAD "dejank-journal 1"
#define FOLDER "settings"

enum { FILE_MOST = 1 << 20, FIELDS = 3 };

static int fail_no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

static int fail_io(const char *what, const char *path, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

static void free_entry(struct dj_journal_entry *entry)
{
    free(entry->space);
    free(entry->name);
    free(entry->value);
}

/* Frees an entry. While a journal has entries, a failed allocation must not end the
 * program, because the settings in the journal must be restored. So each entry makes
 * allocations return failures, and this function undoes that for one entry. */
static void remove_entry(struct dj_journal_entry *entry)
{
    free_entry(entry);
    dj_memory_return_failures(false);
}

void dj_measure_journal_finish(struct dj_journal *journal)
{
    for (size_t i = 0; i < journal->count; i++) {
        remove_entry(&journal->entries[i]);
    }
    free(journal->entries);
    free(journal->path);
    free(journal->selector);
    *journal = (struct dj_journal){0};
}

static void append_field(struct dj_text *text, const char *field)
{
    static const char escaped[] = "\t\n\\", letters[] = "tn\\";
    for (; *field != '\0'; field++) {
        const char *at = strchr(escaped, *field);
        dj_text_add(text, at != NULL ? "\\" : "");
        dj_text_append(text, at != NULL ? &letters[at - escaped] : field, 1);
    }
}

/* Replaces the escapes \t, \n and \\ in the field by the characters that they stand for.
 */
static void unescape(char *field)
{
    char *to = field;
    for (; *field != '\0'; field++) {
        if (*field == '\\' && field[1] != '\0') {
            field++;
            *to++ = *field == 't' ? '\t' : *field == 'n' ? '\n' : *field;
        } else {
            *to++ = *field;
        }
    }
    *to = '\0';
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t count = 0;
    while (line != NULL && count < FIELDS) {
        fields[count] = strsep(&line, "\t");
        unescape(fields[count++]);
    }
    return count;
}

static bool add_entry(struct dj_journal *journal, const char *space, const char *name,
                      const char *value)
{
    struct dj_journal_entry entry = {strdup(space), strdup(name),
                                     value != NULL ? strdup(value) : NULL};
    if (entry.space == NULL || entry.name == NULL ||
        (value != NULL && entry.value == NULL) ||
        !DJ_ARRAY_PUSH(journal->entries, journal->count, entry)) {
        free_entry(&entry);
        return false;
    }
    dj_memory_return_failures(true);
    return true;
}

static int parse_line(struct dj_journal *journal, char *line, size_t number,
                      struct dj_error *err)
{
    char *fields[FIELDS];
    size_t count = split(line, fields);
    if (number == 1) {
        return strcmp(line, HEAD) == 0
                   ? 0
                   : dj_error_set(err, DJ_E_INVALID,
                                  "%s: line 1: expected '" HEAD "', got '%s'",
                                  journal->path, line);
    }
    if (number == 2 && count == 2 && strcmp(fields[0], "device") == 0) {
        free(journal->selector);
        journal->selector = strdup(fields[1]);
        return journal->selector != NULL ? 0 : fail_no_memory(err);
    }
    if (number == 2 || count != FIELDS || (fields[2][0] != '=' && fields[2][0] != '-')) {
        return dj_error_set(err, DJ_E_INVALID, "%s: line %zu: expected %s", journal->path,
                            number,
                            number == 2 ? "the device" : "a setting and its value");
    }
    return add_entry(journal, fields[0], fields[1],
                     fields[2][0] == '=' ? fields[2] + 1 : NULL)
               ? 0
               : fail_no_memory(err);
}

static int parse_lines(struct dj_journal *journal, char *text, struct dj_error *err)
{
    size_t number = 0;
    char *end;
    int code = 0;
    for (char *line = text; code == 0 && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        code = parse_line(journal, line, ++number, err);
    }
    return code;
}

static int read_file(struct dj_journal *journal, struct dj_error *err)
{
    int fd = open(journal->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? 0 : fail_io("open", journal->path, err);
    }
    char *text = calloc(1, FILE_MOST + 1);
    ssize_t length = text != NULL ? read(fd, text, FILE_MOST) : 0;
    int code = text == NULL ? fail_no_memory(err)
               : length < 0 ? fail_io("read", journal->path, err)
                            : parse_lines(journal, text, err);
    free(text);
    close(fd);
    return code;
}

int dj_measure_journal_read(const char *path, struct dj_journal *journal,
                            struct dj_error *err)
{
    *journal = (struct dj_journal){.path = strdup(path)};
    return journal->path != NULL ? read_file(journal, err) : fail_no_memory(err);
}

int dj_measure_journal_open(const char *device, struct dj_journal *journal,
                            struct dj_error *err)
{
    struct dj_text path = {0};
    *journal = (struct dj_journal){0};
    int code = dj_measure_state_folder_path(FOLDER, device, &path, err);
    if (code == 0) {
        code = dj_measure_journal_read(dj_text_get(&path), journal, err);
    }
    if (code == 0 && journal->selector == NULL) {
        journal->selector = strdup(device);
        code = journal->selector != NULL ? 0 : fail_no_memory(err);
    }
    dj_text_finish(&path);
    return code;
}

static int write_all(int fd, const struct dj_text *text)
{
    return dj_output_stream_write_all(fd, dj_text_get(text), text->length) == 0
               ? fsync(fd)
               : -1;
}

/* Syncs the folder of the file. Otherwise a crash of the machine could lose the name of a
 * new file. */
static void sync_folder(const char *path)
{
    struct dj_text folder = {0};
    dj_text_append(&folder, path, (size_t)(strrchr(path, '/') - path));
    int fd = open(dj_text_get(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    dj_text_finish(&folder);
}

static void append_entry(struct dj_text *text, const struct dj_journal_entry *entry)
{
    append_field(text, entry->space);
    dj_text_add(text, "\t");
    append_field(text, entry->name);
    dj_text_add(text, entry->value != NULL ? "\t=" : "\t-");
    append_field(text, entry->value != NULL ? entry->value : "");
    dj_text_add(text, "\n");
}

/* Writes all entries to a new file and renames it to the journal's name. The new file has
 * no incomplete last line. */
static int write_file(const struct dj_journal *journal, struct dj_error *err)
{
    struct dj_text text = {0}, fresh = {0};
    const char *name = strrchr(journal->path, '/') + 1;
    dj_text_format(&fresh, "%.*s.%s", (int)(name - journal->path), journal->path, name);
    dj_text_add(&text, HEAD "\ndevice\t");
    append_field(&text, journal->selector);
    dj_text_add(&text, "\n");
    for (size_t i = 0; i < journal->count; i++) {
        append_entry(&text, &journal->entries[i]);
    }
    int code = text.failed || fresh.failed ? fail_no_memory(err) : 0;
    int fd = code == 0 ? open(dj_text_get(&fresh),
                              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                       : -1;
    if (code == 0 && (fd < 0 || write_all(fd, &text) != 0 ||
                      rename(dj_text_get(&fresh), journal->path) != 0)) {
        code = fail_io("write", journal->path, err);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (code == 0) {
        sync_folder(journal->path);
    }
    dj_text_finish(&text);
    dj_text_finish(&fresh);
    return code;
}

/* Returns the entry of a setting, or NULL if the journal has none. */
static struct dj_journal_entry *find_entry(const struct dj_journal *journal,
                                           const char *space, const char *name)
{
    for (size_t i = 0; i < journal->count; i++) {
        struct dj_journal_entry *entry = &journal->entries[i];
        if (strcmp(entry->space, space) == 0 && strcmp(entry->name, name) == 0) {
            return entry;
        }
    }
    return NULL;
}

int dj_measure_journal_note(struct dj_journal *journal, const char *space,
                            const char *name, const char *value, struct dj_error *err)
{
    if (find_entry(journal, space, name) != NULL) {
        return 0;
    }
    return add_entry(journal, space, name, value) ? write_file(journal, err)
                                                  : fail_no_memory(err);
}

int dj_measure_journal_remove(struct dj_journal *journal, const char *space,
                              const char *name, struct dj_error *err)
{
    struct dj_journal_entry *entry = find_entry(journal, space, name);
    if (entry == NULL) {
        return 0;
    }
    const struct dj_journal_entry *end = &journal->entries[journal->count--];
    remove_entry(entry);
    memmove(entry, entry + 1, (size_t)(end - entry - 1) * sizeof(*entry));
    return journal->count > 0 ? write_file(journal, err)
                              : dj_measure_journal_clear(journal, err);
}

int dj_measure_journal_clear(struct dj_journal *journal, struct dj_error *err)
{
    struct dj_journal empty = {.path = journal->path, .selector = journal->selector};
    journal->path = journal->selector = NULL;
    dj_measure_journal_finish(journal);
    *journal = empty;
    if (unlink(journal->path) != 0 && errno != ENOENT) {
        return fail_io("remove", journal->path, err);
    }
    sync_folder(journal->path);
    return 0;
}

int dj_measure_journal_for_each(int (*visit)(void *user, const char *path), void *user,
                                struct dj_error *err)
{
    struct dj_text folder = {0};
    int code = dj_measure_state_folder_path(FOLDER, NULL, &folder, err);
    DIR *directory = code == 0 ? opendir(dj_text_get(&folder)) : NULL;
    struct dirent *entry;
    while (code == 0 && directory != NULL && (entry = readdir(directory)) != NULL) {
        /* Files that are being written have names that start with a dot. */
        if (entry->d_name[0] != '.') {
            struct dj_text path = {0};
            dj_text_format(&path, "%s/%s", dj_text_get(&folder), entry->d_name);
            code = visit(user, dj_text_get(&path));
            dj_text_finish(&path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    dj_text_finish(&folder);
    return code;
}
