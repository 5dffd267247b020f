/* A list that scrolls, a text field and a button, in GTK 3. Prints a line for each
 * event: "shown", "clicked", "scrolled PIXELS", "text WORDS". */
#include <gtk/gtk.h>

static void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void print_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

static void on_clicked(void)
{
    print_line("clicked\n");
}

static void on_scrolled(GtkAdjustment *adjustment)
{
    print_line("scrolled %.0f\n", gtk_adjustment_get_value(adjustment));
}

static void on_typed(GtkEntry *entry)
{
    print_line("text %s\n", gtk_entry_get_text(entry));
}

static gboolean on_shown(void)
{
    print_line("shown\n");
    return FALSE;
}

static GtkWidget *make_list(void)
{
    GtkWidget *pane = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    for (int i = 0; i < 100; i++) {
        char *words = g_strdup_printf("Item %d", i);
        gtk_container_add(GTK_CONTAINER(rows), gtk_label_new(words));
        g_free(words);
    }
    gtk_container_add(GTK_CONTAINER(pane), rows);
    GtkAdjustment *adjustment =
        gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(pane));
    g_signal_connect(adjustment, "value-changed", G_CALLBACK(on_scrolled), NULL);
    return pane;
}

int main(int argc, char **argv)
{
    gtk_init(&argc, &argv);
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    GtkWidget *button = gtk_button_new_with_label("Go on");
    GtkWidget *field = gtk_entry_new();
    g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), NULL);
    g_signal_connect(field, "changed", G_CALLBACK(on_typed), NULL);
    gtk_box_pack_start(GTK_BOX(box), make_list(), TRUE, TRUE, 0);
    gtk_container_add(GTK_CONTAINER(box), field);
    gtk_container_add(GTK_CONTAINER(box), button);
    gtk_container_add(GTK_CONTAINER(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 400, 500);
    gtk_widget_show_all(window);
    g_idle_add((GSourceFunc)(void (*)(void))on_shown, NULL);
    gtk_main();
    return 0;
}
