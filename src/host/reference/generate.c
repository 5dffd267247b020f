/*
 * generate-reference: writes the manual pages and shell completions of dejank while the
 * project is built. It is not installed.
 *
 *     generate-reference pages dejank.1.in DIR     dejank.1 and dejank-VERB.1 to DIR
 *     generate-reference bash|zsh|fish FILE
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verbs.h"
#include "input/read.h"
#include "memory/memory.h"
#include "reference/reference.h"

/* Ends the program if the file cannot be written. Clears the text. */
static void write_file(const char *path, struct dj_text *text)
{
    FILE *file = fopen(path, "w");
    bool done = file != NULL &&
                fwrite(dj_xtext(text), 1, text->length, file) == text->length &&
                fclose(file) == 0;
    if (!done) {
        perror(path);
        exit(1);
    }
    dj_text_clear(text);
}

static int write_pages(const char *source, const char *folder)
{
    struct dj_text input = {0}, page = {0};
    struct dj_error err = {0};
    char path[PATH_MAX];
    if (dj_input_read_whole(source, &input, &dj_cli_messages, &err) != 0) {
        fprintf(stderr, "generate-reference: %s\n", err.message);
        return 1;
    }
    struct dj_str date = dj_reference_find_date(dj_xtext(&input));
    if (date.length == 0 || !dj_reference_append_overview(&page, dj_xtext(&input))) {
        fprintf(stderr, "generate-reference: %s: expected lines .Dd and @VERBS@\n",
                source);
        return 1;
    }
    snprintf(path, sizeof(path), "%s/dejank.1", folder);
    write_file(path, &page);
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const char *name = dj_cli_verb_at(i)->name;
        const char *space = strchr(name, ' ');
        snprintf(path, sizeof(path), "%s/dejank-%.*s%s%s.1", folder,
                 (int)strcspn(name, " "), name, space != NULL ? "-" : "",
                 space != NULL ? space + 1 : "");
        dj_reference_append_page(&page, dj_cli_verb_at(i), date);
        write_file(path, &page);
    }
    dj_text_finish(&page);
    dj_text_finish(&input);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *shell;
        void (*append)(struct dj_text *text);
    } shells[] = {
        {"bash", dj_reference_append_bash},
        {"zsh", dj_reference_append_zsh},
        {"fish", dj_reference_append_fish},
    };
    if (argc == 4 && strcmp(argv[1], "pages") == 0) {
        return write_pages(argv[2], argv[3]);
    }
    for (size_t i = 0; argc == 3 && i < COUNT_OF(shells); i++) {
        if (strcmp(argv[1], shells[i].shell) == 0) {
            struct dj_text text = {0};
            shells[i].append(&text);
            write_file(argv[2], &text);
            dj_text_finish(&text);
            return 0;
        }
    }
    fprintf(stderr, "usage: generate-reference pages SOURCE DIR | bash|zsh|fish FILE\n");
    return 2;
}
