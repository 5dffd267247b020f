/* The completions that a shell offers for the value of an option or for an operand. */
#ifndef DEJANK_REFERENCE_VALUES_H
#define DEJANK_REFERENCE_VALUES_H

#include "cli/options.h"

enum dj_value_source {
    DJ_VALUES_NONE,  /* Any text. A shell offers no words. */
    DJ_VALUES_WORDS, /* The words that the functions below append. */
    DJ_VALUES_FILES,
    DJ_VALUES_FOLDERS,
    DJ_VALUES_COMMANDS
};

/* Returns where the values of an option come from. A flag has DJ_VALUES_NONE. */
enum dj_value_source dj_values_of_option(const struct dj_option *option);

/* Returns where the operands of a verb come from. */
enum dj_value_source dj_values_of_operand(const struct dj_verb *verb);

/* Appends the words that an option accepts, separated by spaces. */
void dj_values_append_option_words(struct dj_text *text, const struct dj_option *option);

/* Appends the words that a verb's first operand accepts, separated by spaces. */
void dj_values_append_operand_words(struct dj_text *text, const struct dj_verb *verb);

#endif
