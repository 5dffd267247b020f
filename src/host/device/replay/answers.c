#include "device/replay/answers.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compare.h"
#include "base/str.h"
#include "device/files.h"

static const char command_tail[] = "-command.txt";

struct dj_replay_answers {
    char *folder;
    /* The recorded commands with their answers, in ascending order of their numbers. */
    struct dj_replay_entry *entries;
    size_t count;
    /* Number of entries up to the last replayed step. All of them are marked as used. */
    size_t past_count;
    /* Number of open devices that use these answers. If it is 0, the answers stay in
     * memory. */
    size_t readers;
    struct dj_replay_answers *next;
};

static struct dj_replay_answers *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the number of an entry, such as 17 for "017-command.txt", or −1 for other
 * files. */
static long parse_number(const char *name)
{
    char *end;
    if (name[0] < '0' || name[0] > '9' || strlen(name) > 64) {
        return -1;
    }
    long number = strtol(name, &end, 10);
    return strcmp(end, command_tail) == 0 ? number : -1;
}

static int add_entry(struct dj_replay_answers *answers, const char *name, long number,
                     struct dj_error *err)
{
    struct dj_text path = {0};
    struct dj_text text = {.maximum = 1024 * 1024};
    if (!DJ_ARRAY_ROOM(answers->entries, answers->count)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    struct dj_replay_entry *entry = &answers->entries[answers->count];
    dj_text_format(&path, "%s/%s", answers->folder, name);
    int code = dj_files_pull(NULL, dj_text_get(&path), &text, err);
    if (code == 0) {
        code = dj_replay_parse_entry(dj_text_get(&text), text.length, entry, err);
        if (code != 0) {
            dj_error_prepend(err, "%s/%s", answers->folder, name);
        }
    }
    if (code == 0) {
        entry->number = number;
        answers->count++;
    }
    dj_text_finish(&path);
    dj_text_finish(&text);
    return code;
}

static int compare_numbers(const void *a, const void *b)
{
    long first = ((const struct dj_replay_entry *)a)->number;
    long second = ((const struct dj_replay_entry *)b)->number;
    return DJ_COMPARE(first, second);
}

static int read_folder(struct dj_replay_answers *answers, struct dj_error *err)
{
    struct dirent *found;
    int code = 0;
    DIR *directory = opendir(answers->folder);
    if (directory == NULL) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "replay: cannot read %s: %s",
                            answers->folder, strerror(errno));
    }
    while (code == 0 && (found = readdir(directory)) != NULL) {
        long number = parse_number(found->d_name);
        code = number >= 0 ? add_entry(answers, found->d_name, number, err) : 0;
    }
    closedir(directory);
    if (code == 0 && answers->count == 0) {
        return dj_error_set(err, DJ_E_NOT_FOUND,
                            "replay: nothing is recorded in %s (expected "
                            "001-command.txt and 001-command.out)",
                            answers->folder);
    }
    if (code == 0) {
        qsort(answers->entries, answers->count, sizeof(answers->entries[0]),
              compare_numbers);
    }
    return code;
}

static void destroy_answers(struct dj_replay_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        dj_replay_entry_finish(&answers->entries[i]);
    }
    free(answers->entries);
    free(answers->folder);
    free(answers);
}

static struct dj_replay_answers **find_place(const char *folder)
{
    struct dj_replay_answers **place = &all;
    while (*place != NULL && strcmp((*place)->folder, folder) != 0) {
        place = &(*place)->next;
    }
    return place;
}

/* Copies the progress of `before`, an earlier state of this recording. `answers` may have
 * new entries at its end, but the entries of `before` must be unchanged. Otherwise the
 * progress is not copied. */
static void copy_progress(struct dj_replay_answers *answers,
                          const struct dj_replay_answers *before)
{
    if (before->count > answers->count) {
        return;
    }
    for (size_t i = 0; i < before->count; i++) {
        if (before->entries[i].number != answers->entries[i].number ||
            strcmp(before->entries[i].command, answers->entries[i].command) != 0) {
            return;
        }
    }
    for (size_t i = 0; i < before->count; i++) {
        answers->entries[i].used = before->entries[i].used;
    }
    answers->past_count = before->past_count;
}

static int read_answers(const char *folder, struct dj_replay_answers **answers,
                        struct dj_error *err)
{
    struct dj_replay_answers *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    created->folder = strdup(folder);
    int code = created->folder == NULL
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : read_folder(created, err);
    if (code != 0) {
        destroy_answers(created);
        return code;
    }
    *answers = created;
    return 0;
}

int dj_replay_answers_open(const char *folder, struct dj_replay_answers **answers,
                           struct dj_error *err)
{
    int code = 0;
    pthread_mutex_lock(&lock);
    struct dj_replay_answers **place = find_place(folder);
    struct dj_replay_answers *before = *place;
    if (before == NULL || before->readers == 0) {
        code = read_answers(folder, answers, err);
        if (code == 0 && before != NULL) {
            copy_progress(*answers, before);
            (*answers)->next = before->next;
            destroy_answers(before);
        }
        *place = code == 0 ? *answers : before;
    } else {
        *answers = before;
    }
    if (code == 0) {
        (*answers)->readers++;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

/* Keeps the answers in memory, so that a device that is opened again continues where it
 * stopped. */
void dj_replay_answers_close(struct dj_replay_answers *answers)
{
    if (answers != NULL) {
        pthread_mutex_lock(&lock);
        answers->readers--;
        pthread_mutex_unlock(&lock);
    }
}

/* Returns whether a command changes the device. A command that keeps running ("start: …")
 * is no step, because the number of its entry shows when it ended and not when it
 * started. */
static bool is_step(const char *command)
{
    static const char *const steps[] = {"push: ",
                                        "shell: am ",
                                        "shell: input ",
                                        "shell: pm ",
                                        "shell: settings put ",
                                        "shell: setprop ",
                                        "shell: rm ",
                                        "shell: settings delete ",
                                        "shell: dejank ",
                                        "shell: monkey "};
    struct dj_str text = dj_str_of(command);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        if (dj_str_begins(text, steps[i])) {
            return true;
        }
    }
    return dj_str_begins(text, "shell: dumpsys gfxinfo ") && dj_str_ends(text, " reset");
}

/* Returns the index of the first step that was recorded after the last replayed step.
 * Returns the number of entries if there is no such step, or if no step has been replayed
 * yet. */
static size_t find_next_step(const struct dj_replay_answers *answers)
{
    size_t i = answers->past_count;
    while (answers->past_count > 0 && i < answers->count &&
           !is_step(answers->entries[i].command)) {
        i++;
    }
    return answers->past_count > 0 ? i : answers->count;
}

/* Returns the index of the first unused answer to the command before index `end`. If
 * there is none, returns the last used answer, or else the first answer to this
 * command. */
static size_t find_answer(const struct dj_replay_answers *answers, const char *command,
                          size_t end)
{
    size_t first = answers->count, last = answers->count;
    for (size_t i = 0; i < answers->count; i++) {
        const struct dj_replay_entry *entry = &answers->entries[i];
        if (strcmp(entry->command, command) != 0) {
            continue;
        }
        if (!entry->used && i < end) {
            return i;
        }
        first = first < answers->count ? first : i;
        last = entry->used ? i : last;
    }
    return last < answers->count ? last : first;
}

const struct dj_replay_entry *dj_replay_answers_next(struct dj_replay_answers *answers,
                                                     const char *command)
{
    pthread_mutex_lock(&lock);
    bool step = is_step(command);
    size_t at =
        find_answer(answers, command, step ? answers->count : find_next_step(answers));
    if (at < answers->count) {
        answers->entries[at].used = true;
    }
    if (at < answers->count && step && at >= answers->past_count) {
        answers->past_count = at + 1;
        for (size_t i = 0; i < at; i++) {
            answers->entries[i].used = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return at < answers->count ? &answers->entries[at] : NULL;
}

/* Counts how many bytes at the beginning and at the end of two commands are equal. */
static size_t count_common_bytes(const char *a, const char *b)
{
    size_t front = 0, back = 0, a_length = strlen(a), b_length = strlen(b);
    while (a[front] != '\0' && a[front] == b[front]) {
        front++;
    }
    while (back + front < a_length && back + front < b_length &&
           a[a_length - 1 - back] == b[b_length - 1 - back]) {
        back++;
    }
    return front + back;
}

const struct dj_replay_entry *
dj_replay_answers_find_nearest(const struct dj_replay_answers *answers,
                               const char *command)
{
    const struct dj_replay_entry *nearest = &answers->entries[0];
    for (size_t i = 1; i < answers->count; i++) {
        if (count_common_bytes(answers->entries[i].command, command) >
            count_common_bytes(nearest->command, command)) {
            nearest = &answers->entries[i];
        }
    }
    return nearest;
}
