#include "cli/verbs.h"

#include <string.h>

const struct dj_verb_group_text dj_verb_groups[DJ_VERB_GROUPS] = {
    [DJ_VERBS_MEASURE] = {"Measure", "dejank record -- glxgears"},
    [DJ_VERBS_UNDERSTAND] = {"Understand", "dejank report dump.txt -o report.html"},
    [DJ_VERBS_COMPARE] = {"Compare and track", "dejank compare 1.7 1.8"},
    [DJ_VERBS_DATA] = {"Devices and data", "dejank devices"},
};

#define ROW(group, name) {DJ_VERBS_##group, &dj_verb_##name},
static const struct {
    enum dj_verb_group group;
    const struct dj_verb *verb;
} verbs[] = {DJ_VERBS(ROW)};

const struct dj_verb *dj_cli_verb_at(size_t index)
{
    return index < COUNT_OF(verbs) ? verbs[index].verb : NULL;
}

enum dj_verb_group dj_cli_verb_group_of(size_t index)
{
    return verbs[index].group;
}

/* Returns the second word of a verb's name, or NULL. */
static const char *find_second_word(const char *name)
{
    const char *space = strchr(name, ' ');
    return space != NULL ? space + 1 : NULL;
}

static bool is_first_word(const char *name, const char *word)
{
    size_t length = strcspn(name, " ");
    return strncmp(name, word, length) == 0 && word[length] == '\0';
}

const struct dj_verb *dj_verb_find(int argc, char **argv, int *word_count)
{
    for (size_t i = 0; i < COUNT_OF(verbs) && argc > 0; i++) {
        const char *name = verbs[i].verb->name;
        const char *second = find_second_word(name);
        *word_count = second != NULL ? 2 : 1;
        if (is_first_word(name, argv[0]) &&
            (second == NULL || (argc > 1 && strcmp(argv[1], second) == 0))) {
            return verbs[i].verb;
        }
    }
    return NULL;
}

bool dj_verb_is_topic(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        const char *name = verbs[i].verb->name;
        if (find_second_word(name) != NULL && is_first_word(name, word)) {
            return true;
        }
    }
    return false;
}

bool dj_cli_verb_starts_topic(size_t index, struct dj_str *topic)
{
    const char *name = verbs[index].verb->name;
    size_t length = strcspn(name, " ");
    *topic = (struct dj_str){name, length};
    if (name[length] != ' ') {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (strncmp(verbs[i].verb->name, name, length + 1) == 0) {
            return false;
        }
    }
    return true;
}
