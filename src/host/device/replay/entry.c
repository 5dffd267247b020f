#include "device/replay/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
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

/* Appends a word in its canonical form, in which "N" replaces numbers that differ in each
 * call: times in "since=NUMBER" and port numbers. */
static void append_word(struct dj_text *text, const char *word, bool is_after_port)
{
    bool is_since = strncmp(word, "since=", 6) == 0;
    const char *number = is_since ? word + 6 : word;
    bool changes = (is_since || is_after_port) && number[0] != '\0' &&
                   number[strspn(number, "0123456789")] == '\0';
    dj_text_add(text, text->length > 0 ? " " : "");
    dj_device_quote_word(text, !changes ? word : is_since ? "since=N" : "N");
}

static bool is_port(const char *word)
{
    return strcmp(word, "--port") == 0;
}

void dj_replay_append_words(struct dj_text *text, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        append_word(text, words[i], i > 0 && is_port(words[i - 1]));
    }
}

void dj_replay_append_command(struct dj_text *text, enum dj_replay_kind kind,
                              const char *const *words)
{
    struct dj_text canonical = {0};
    dj_replay_append_words(&canonical, words);
    dj_text_format(text, "%s: %s", kinds[kind], dj_text_get(&canonical));
    dj_text_finish(&canonical);
}

static const char *get_error_name(int code)
{
    for (size_t i = 0; i < ERRORS; i++) {
        if (errors[i].code == code) {
            return errors[i].name;
        }
    }
    return "io";
}

void dj_replay_append_result(struct dj_text *text, enum dj_replay_kind kind,
                             int exit_code, const struct dj_error *error)
{
    dj_text_add(text, "\n");
    if (kind != DJ_REPLAY_SHELL) {
        dj_text_format(text, "kind %s\n", kinds[kind]);
    }
    if (error != NULL && error->code != 0) {
        dj_text_format(text, "error %s ", get_error_name(error->code));
        dj_text_append_escaped_name(text, error->message);
        dj_text_add(text, "\n");
    } else if (exit_code == DJ_REPLAY_RUNNING) {
        dj_text_add(text, "exit running\n");
    } else {
        dj_text_format(text, "exit %d\n", exit_code);
    }
}

/* Reads the word at *at and moves *at to the end of the word. Returns false if a quote is
 * not closed. */
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

/* Appends the words of the first line in their canonical form. Returns false if a quote
 * is not closed. */
static bool read_words(const char *text, size_t length, size_t *at, struct dj_text *words)
{
    bool is_closed = true, is_after_port = false;
    struct dj_text word = {0};
    while (is_closed && *at < length && text[*at] != '\n') {
        if (text[*at] == ' ' || text[*at] == '\t' || text[*at] == '\r') {
            (*at)++;
            continue;
        }
        dj_text_clear(&word);
        is_closed = read_word(text, length, at, &word);
        append_word(words, dj_text_get(&word), is_after_port);
        is_after_port = is_port(dj_text_get(&word));
        words->failed = words->failed || word.failed;
    }
    dj_text_finish(&word);
    return is_closed;
}

static bool read_error(struct dj_str value, struct dj_replay_entry *entry)
{
    struct dj_str name = dj_str_until(value, " "), reason;
    for (size_t i = 0; i < ERRORS; i++) {
        if (dj_str_is(name, errors[i].name)) {
            entry->error = errors[i].code;
            reason = (struct dj_str){value.at + name.length, value.length - name.length};
            char message[sizeof(((struct dj_error *)0)->message)];
            dj_text_copy_escaped(reason, message, sizeof(message));
            free(entry->message);
            entry->message = strdup(message);
            return entry->message != NULL;
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
    free(entry->message);
    *entry = (struct dj_replay_entry){.number = 0};
}

int dj_replay_parse_entry(const char *text, size_t length, struct dj_replay_entry *entry,
                          struct dj_error *err)
{
    struct dj_text words = {0}, command = {0};
    enum dj_replay_kind kind = DJ_REPLAY_SHELL;
    size_t at = 0;
    *entry = (struct dj_replay_entry){.number = 0};
    int code = read_words(text, length, &at, &words)
                   ? 0
                   : dj_error_set(err, DJ_E_INVALID, "line 1: a quote is not closed");
    struct dj_str rest = {text + at, length - at}, line;
    for (long number = 1; code == 0 && dj_str_next_line(&rest, &line); number++) {
        if (!read_line(line, &kind, entry)) {
            code = dj_error_set(err, DJ_E_INVALID,
                                "line %ld after the command: expected `exit N`, `exit "
                                "running`, `kind KIND` or `error NAME MESSAGE`",
                                number - 1);
        }
    }
    if (code == 0 && words.length == 0 && kind != DJ_REPLAY_CLOCK) {
        code = dj_error_set(err, DJ_E_INVALID, "line 1: expected a command");
    }
    dj_text_format(&command, "%s: %s", kinds[kind], dj_text_get(&words));
    entry->command = dj_text_copy(dj_text_get(&command), command.length);
    if (code == 0 && (entry->command == NULL || words.failed || command.failed)) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    dj_text_finish(&command);
    dj_text_finish(&words);
    if (code != 0) {
        dj_replay_entry_finish(entry);
    }
    return code;
}
