#include "dumpsys/release.h"

#include <string.h>

#include "dumpsys/output.h"
#include "frame/dialect.h"

static const char word_release[] = "--release";

int dj_release_extract(int all, char *const *words, const char **other_words,
                       const char **release)
{
    int count = all < DJ_RELEASE_WORDS_MAX ? all : DJ_RELEASE_WORDS_MAX;
    size_t length = sizeof(word_release) - 1;
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], word_release, length) != 0 ||
            (words[i][length] != '\0' && words[i][length] != '=')) {
            other_words[left++] = words[i];
        } else if (words[i][length] == '=') {
            *release = words[i] + length + 1;
        } else {
            *release = i + 1 < count ? words[++i] : "";
        }
    }
    return left;
}

int dj_release_report_unknown(const char *release)
{
    struct dj_text known = {0};
    struct dj_error err = {0};
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        dj_text_format(&known, " %s", dj_frame_dialect_at(i)->name);
    }
    dj_error_set(&err, DJ_E_USAGE, "--release: there is no release '%s' (known:%s)",
                 release, dj_text_get(&known));
    dj_output_report_error(&err);
    dj_text_finish(&known);
    return DJ_OUTPUT_USAGE;
}
