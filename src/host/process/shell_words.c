#include "process/shell_words.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

struct splitter {
    const char *command, *at;
    struct dj_text word;
    char **words;
    size_t count;
};

void dj_process_free_words(char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        free(words[i]);
    }
    free(words);
}

/* Reads a quoted part. splitter->at must point to the opening quote. Moves splitter->at
 * after the closing quote. */
static int read_quoted(struct splitter *splitter, struct dj_error *err)
{
    const char *opening = splitter->at;
    char quote = *splitter->at++;
    while (*splitter->at != quote) {
        if (*splitter->at == '\\' && quote == '"' && splitter->at[1] != '\0' &&
            strchr("\"\\$`", splitter->at[1]) != NULL) {
            splitter->at++;
        }
        if (*splitter->at == '\0') {
            return dj_error_set_at(err, DJ_E_USAGE, opening - splitter->command,
                                   "the %c at character %lld has no closing quote", quote,
                                   (long long)(opening - splitter->command) + 1);
        }
        dj_text_append(&splitter->word, splitter->at++, 1);
    }
    splitter->at++;
    return 0;
}

static int read_word(struct splitter *splitter, struct dj_error *err)
{
    int code = 0;
    while (code == 0 && *splitter->at != '\0' && strchr(" \t\n", *splitter->at) == NULL) {
        if (*splitter->at == '\'' || *splitter->at == '"') {
            code = read_quoted(splitter, err);
        } else {
            splitter->at += *splitter->at == '\\' && splitter->at[1] != '\0';
            dj_text_append(&splitter->word, splitter->at++, 1);
        }
    }
    return code;
}

int dj_process_split_command(const char *command, char ***words, struct dj_error *err)
{
    struct splitter splitter = {.command = command, .at = command};
    int code = 0;
    splitter.at += strspn(splitter.at, " \t\n");
    while (code == 0 && *splitter.at != '\0') {
        code = read_word(&splitter, err);
        DJ_XPUSH(splitter.words, splitter.count, dj_xtext_detach(&splitter.word));
        splitter.at += strspn(splitter.at, " \t\n");
    }
    if (code == 0 && splitter.count == 0) {
        code = dj_error_set(err, DJ_E_USAGE, "the command is empty");
    }
    dj_text_finish(&splitter.word);
    DJ_XPUSH(splitter.words, splitter.count, NULL);
    if (code != 0) {
        dj_process_free_words(splitter.words);
        splitter.words = NULL;
    }
    *words = splitter.words;
    return code;
}
