/* Forms of a document as HTML. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/document/render.h"
#include "report/escape/html.h"

static void write_escaped(struct dj_text *text, const char *before, const char *string,
                          const char *after)
{
    dj_text_add(text, before);
    dj_html_escape(text, string);
    dj_text_add(text, after);
}

struct choice {
    char *value; /* Owned by this struct. */
    const char *label;
};

/* Reads the next of the choices, which the caller frees. Returns false after the last. */
static bool next_choice(const char **choices, struct choice *choice)
{
    const char *end = strchr(*choices, '\n');
    if (end == NULL) {
        return false;
    }
    choice->value = dj_xcopy(*choices, (size_t)(end - *choices));
    char *label = strchr(choice->value, '\t');
    if (label != NULL) {
        *label++ = '\0';
    }
    choice->label = label != NULL              ? label
                    : choice->value[0] != '\0' ? choice->value
                                               : "any";
    *choices = end + 1;
    return true;
}

/* Returns whether one of the lines equals the value. */
static bool has_line(const char *lines, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = lines; *at != '\0'; at += strcspn(at, "\n")) {
        at += *at == '\n';
        if (strcspn(at, "\n") == length && memcmp(at, value, length) == 0) {
            return length > 0;
        }
    }
    return false;
}

static void write_options(struct dj_text *text, const struct dj_web_field *field,
                          const char *value)
{
    const char *choices = field->choices;
    struct choice choice;
    bool has_value = value[0] == '\0' || field->kind == DJ_FIELD_ANY;
    while (next_choice(&choices, &choice)) {
        bool chosen = field->kind != DJ_FIELD_ANY && strcmp(choice.value, value) == 0;
        has_value = has_value || chosen;
        write_escaped(text, "<option value=\"", choice.value,
                      chosen ? "\" selected>" : "\">");
        write_escaped(text, "", choice.label, "</option>");
        free(choice.value);
    }
    if (!has_value) {
        write_escaped(text, "<option selected value=\"", value, "\">");
        write_escaped(text, "", value, "</option>");
    }
}

/* Writes a text field with suggestions. */
static void write_suggestions(struct dj_text *text, const struct dj_web_field *field,
                              const char *value)
{
    write_escaped(text, "<input name=\"", field->name, "\" list=\"choices-");
    write_escaped(text, "", field->name, "\" value=\"");
    write_escaped(text, "", value, "\"></label>\n");
    write_escaped(text, "<datalist id=\"choices-", field->name, "\">");
    write_options(text, field, value);
    dj_text_add(text, "</datalist>\n");
}

static void write_box(struct dj_text *text, const char *name, const char *value,
                      const char *label, bool is_chosen)
{
    write_escaped(text, "<label><input type=\"checkbox\" name=\"", name, "\" value=\"");
    write_escaped(text, "", value, is_chosen ? "\" checked>" : "\">");
    write_escaped(text, "<span>", label, "</span></label>\n");
}

/* Writes a box for each choice. Chosen values that are no choice come first. */
static void write_boxes(struct dj_text *text, const struct dj_web_field *field,
                        const char *values)
{
    const char *choices = field->choices != NULL ? field->choices : "";
    struct choice choice;
    struct dj_text boxes = {0}, known = {0};
    while (next_choice(&choices, &choice)) {
        write_box(&boxes, field->name, choice.value, choice.label,
                  has_line(values, choice.value));
        dj_text_format(&known, "%s\n", choice.value);
        free(choice.value);
    }
    write_escaped(text,
                  field->folded ? "<details class=\"several\"><summary>"
                                : "<fieldset class=\"several\"><legend>",
                  field->label, field->folded ? "</summary>" : "</legend>");
    write_escaped(text, "<div role=\"group\" aria-label=\"", field->label, "\">\n");
    while (next_choice(&values, &choice)) {
        if (!has_line(dj_xtext(&known), choice.value)) {
            write_box(text, field->name, choice.value, choice.label, true);
        }
        free(choice.value);
    }
    dj_text_add(text, dj_xtext(&boxes));
    dj_text_add(text, field->folded ? "</div></details>\n" : "</div></fieldset>\n");
    dj_text_finish(&boxes);
    dj_text_finish(&known);
}

static void write_field(struct dj_text *text, const struct dj_web_field *field)
{
    const char *value = field->value != NULL ? field->value : "";
    if (field->label == NULL) {
        write_escaped(text, "<input type=\"hidden\" name=\"", field->name, "\" value=\"");
        write_escaped(text, "", value, "\">\n");
        return;
    }
    if (field->kind == DJ_FIELD_SEVERAL) {
        write_boxes(text, field, value);
        return;
    }
    write_escaped(text, "<label class=\"control\"><span>", field->label, "</span>");
    if (field->kind == DJ_FIELD_ANY && field->choices != NULL) {
        write_suggestions(text, field, value);
    } else if (field->choices != NULL) {
        write_escaped(text, "<select name=\"", field->name, "\">");
        write_options(text, field, value);
        dj_text_add(text, "</select></label>\n");
    } else {
        write_escaped(text, "<input name=\"", field->name, "\" value=\"");
        write_escaped(text, "", value, "\"></label>\n");
    }
}

void dj_document_write_form(struct dj_text *text, const struct dj_web_form *form)
{
    /* Without autocomplete="off", a browser that goes back would fill the form with the
     * values of the newer page. */
    write_escaped(text, "<form class=\"controls\" autocomplete=\"off\" action=\"",
                  form->action, form->writes ? "\" method=\"post\">\n" : "\">\n");
    for (size_t i = 0; i < form->field_count; i++) {
        write_field(text, &form->fields[i]);
    }
    write_escaped(text, "<button type=\"submit\">", form->submit, "</button></form>\n");
}
