#include "device/replay_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "device/quote.h"

static const char *const kinds[DJ_REPLAY_KINDS] = {"shell", "start", "push", "pull",
                                                   "clock"};

static const struct {
    const char *name;
    int code;
} errors[] = {
    {"gone", DJ_E_GONE},           {"timeout", DJ_E_TIMEOUT},
    {"not-found", DJ_E_NOT_FOUND}, {"io", DJ_E_IO},
    {"limit", DJ_E_LIMIT},         {"owner", DJ_E_OWNER},
    {"protocol", DJ_E_PROTOCOL},   {"unsupported", DJ_E_UNSUPPORTED},
    {"no-data", DJ_E_NO_DATA},
};
enum { ERRORS = COUNT_OF(errors) };

/* "since=123" → "since=N". */
static void put_word(struct dj_text *text, const char *word)
{
    size_t digits = strncmp(word, "since=", 6) == 0 ? strspn(word + 6, "0123456789") : 0;
    dj_quote_word(text, digits > 0 && word[6 + digits] == '\0' ? "since=N" : word);
}

/* A port is chosen anew each time. */
static bool is_port(const char *const *words, size_t i)
{
    return i > 0 && strcmp(words[i - 1], "--port") == 0 && words[i][0] != '\0' &&
           words[i][strspn(words[i], "0123456789")] == '\0';
}

static void put_words(struct dj_text *text, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        dj_text_string(text, i > 0 ? " " : "");
        put_word(text, is_port(words, i) ? "N" : words[i]);
    }
}

void dj_replay_command(struct dj_text *text, enum dj_replay_kind kind,
                       const char *const *words)
{
    dj_text_format(text, "%s: ", kinds[kind]);
    put_words(text, words);
}

static const char *error_name(int code)
{
    for (size_t i = 0; i < ERRORS; i++) {
        if (errors[i].code == code) {
            return errors[i].name;
        }
    }
    return "io";
}

void dj_replay_write(struct dj_text *text, enum dj_replay_kind kind,
                     const char *const *words, int exit_code,
                     const struct dj_error *error)
{
    put_words(text, words);
    dj_text_string(text, "\n");
    if (kind != DJ_REPLAY_SHELL) {
        dj_text_format(text, "kind %s\n", kinds[kind]);
    }
    if (error != NULL && error->code != 0) {
        dj_text_format(text, "error %s ", error_name(error->code));
        dj_text_escaped_name(text, error->message);
        dj_text_string(text, "\n");
    } else if (exit_code == DJ_REPLAY_RUNNING) {
        dj_text_string(text, "exit running\n");
    } else {
        dj_text_format(text, "exit %d\n", exit_code);
    }
}

/* ---- reading: words as a POSIX shell takes them, as far as quoting goes */

struct words {
    char **word;
    size_t count;
};

static void finish_words(struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->word[i]);
    }
    free(words->word);
}

/* Appends a copy; `word` NULL ends the array. */
static int add_word(struct words *words, const char *word, struct dj_error *err)
{
    char **grown = dj_array_resize(words->word, words->count + 1, sizeof(*grown));
    if (grown == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    words->word = grown;
    words->word[words->count] = word != NULL ? strdup(word) : NULL;
    if (word != NULL && words->word[words->count] == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    words->count += word != NULL;
    return 0;
}

/* One word of text from *at; false where a quote is not closed. */
static bool read_word(const char *text, size_t length, size_t *at, struct dj_text *word)
{
    char quote = 0;
    for (; *at < length; (*at)++) {
        char c = text[*at];
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            break;
        }
        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote && quote != 0) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && *at + 1 < length) {
            dj_text_append(word, &text[++*at], 1);
        } else {
            dj_text_append(word, &c, 1);
        }
    }
    return quote == 0;
}

static int read_words(const char *text, size_t length, size_t *at, struct words *words,
                      struct dj_error *err)
{
    int code = 0;
    while (code == 0 && *at < length && text[*at] != '\n') {
        struct dj_text word = {0};
        if (text[*at] == ' ' || text[*at] == '\t' || text[*at] == '\r') {
            (*at)++;
            continue;
        }
        code = read_word(text, length, at, &word)
                   ? add_word(words, dj_text_get(&word), err)
                   : dj_error_set(err, DJ_E_INVALID, "line 1: a quote is not closed");
        dj_text_finish(&word);
    }
    return code == 0 ? add_word(words, NULL, err) : code;
}

static bool read_error(struct dj_str value, struct dj_replay_entry *entry)
{
    struct dj_str name = dj_str_until(value, " "), says;
    for (size_t i = 0; i < ERRORS; i++) {
        if (dj_str_is(name, errors[i].name)) {
            entry->error = errors[i].code;
            says = (struct dj_str){value.at + name.length, value.length - name.length};
            char message[sizeof(((struct dj_error *)0)->message)];
            dj_str_copy(says, message, sizeof(message));
            free(entry->says);
            entry->says = strdup(message);
            return entry->says != NULL;
        }
    }
    return false;
}

static bool read_kind(struct dj_str value, enum dj_replay_kind *kind)
{
    for (size_t i = 0; i < DJ_REPLAY_KINDS; i++) {
        if (dj_str_is(value, kinds[i])) {
            *kind = (enum dj_replay_kind)i;
            return true;
        }
    }
    return false;
}

static bool read_exit(struct dj_str value, struct dj_replay_entry *entry)
{
    int64_t number;
    if (dj_str_is(value, "running")) {
        entry->exit_code = DJ_REPLAY_RUNNING;
        return true;
    }
    if (!dj_str_int(value, &number) || number < 0 || number > 255) {
        return false;
    }
    entry->exit_code = (int)number;
    return true;
}

static bool read_line(struct dj_str line, enum dj_replay_kind *kind,
                      struct dj_replay_entry *entry)
{
    struct dj_str value;
    if (line.length == 0 || line.at[0] == '#') {
        return true;
    }
    if (dj_str_begins(line, "exit ") && dj_str_after(line, "exit ", &value)) {
        return read_exit(value, entry);
    }
    if (dj_str_begins(line, "kind ") && dj_str_after(line, "kind ", &value)) {
        return read_kind(value, kind);
    }
    return dj_str_begins(line, "error ") && dj_str_after(line, "error ", &value) &&
           read_error(value, entry);
}

void dj_replay_entry_finish(struct dj_replay_entry *entry)
{
    free(entry->command);
    free(entry->says);
    *entry = (struct dj_replay_entry){.number = 0};
}

int dj_replay_parse(const char *text, size_t length, struct dj_replay_entry *entry,
                    struct dj_error *err)
{
    struct words words = {0};
    enum dj_replay_kind kind = DJ_REPLAY_SHELL;
    size_t at = 0;
    *entry = (struct dj_replay_entry){.number = 0};
    int code = read_words(text, length, &at, &words, err);
    struct dj_str rest = {text + at, length - at}, line;
    for (long number = 1; code == 0 && dj_str_next_line(&rest, &line); number++) {
        if (!read_line(line, &kind, entry)) {
            code = dj_error_set(err, DJ_E_INVALID,
                                "line %ld after the command: expected `exit N`, `exit "
                                "running`, `kind KIND` or `error NAME MESSAGE`",
                                number - 1);
        }
    }
    if (code == 0 && words.count == 0 && kind != DJ_REPLAY_CLOCK) {
        code = dj_error_set(err, DJ_E_INVALID, "line 1: expected a command");
    }
    if (code == 0) {
        struct dj_text command = {0};
        dj_replay_command(&command, kind, (const char *const *)words.word);
        entry->command = strdup(dj_text_get(&command));
        code = entry->command == NULL || command.failed
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : 0;
        dj_text_finish(&command);
    }
    finish_words(&words);
    if (code != 0) {
        dj_replay_entry_finish(entry);
    }
    return code;
}
