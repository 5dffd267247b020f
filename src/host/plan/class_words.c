#include "plan/class_words.h"

#include <stdio.h>
#include <string.h>

static int report_expected(const char *word, struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_USAGE,
        "--device-class: expected low-end, high-end, tablet, phone, high-refresh, any, "
        "or conditions such as 'ram < 3 GB, width >= 600 dp', got '%.60s'",
        word);
}

/* Reads one condition such as "ram < 3 GB", "emulator no" or "model Pixel" into the
 * class. Modifies `word`. */
static bool read_need(char *word, struct dj_device_class *class)
{
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz-");
    char *bound = word + length + strspn(word + length, " ");
    bound += *bound == '=' || *bound == ':';
    bound += strspn(bound, " ");
    for (size_t i = 0; i < dj_facts_class_key_count; i++) {
        if (strlen(dj_facts_class_keys[i]) != length ||
            strncmp(dj_facts_class_keys[i], word, length) != 0) {
            continue;
        }
        if (i == DJ_FACT_COUNT) {
            class->model = bound;
            return bound[0] != '\0';
        }
        return class->need_count < DJ_CLASS_NEEDS &&
               dj_facts_class_parse_need(bound, (enum dj_class_fact)i,
                                         &class->needs[class->need_count++]);
    }
    return false;
}

int dj_plan_class_parse(const char *words, char room[DJ_CLASS_BUFFER],
                        struct dj_device_class *class, struct dj_error *err)
{
    const struct dj_device_class *known = dj_facts_class_find(words);
    if (known != NULL) {
        *class = *known;
        return 0;
    }
    *class = (struct dj_device_class){.name = words};
    if (strlen(words) >= DJ_CLASS_BUFFER) {
        return report_expected(words, err);
    }
    snprintf(room, DJ_CLASS_BUFFER, "%s", words);
    for (char *word = room; word != NULL;) {
        char *comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        word += strspn(word, " ");
        if (!read_need(word, class)) {
            return report_expected(words, err);
        }
        word = comma != NULL ? comma + 1 : NULL;
    }
    return 0;
}
