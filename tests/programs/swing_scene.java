import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics;
import javax.swing.JFrame;
import javax.swing.JPanel;
import javax.swing.SwingUtilities;
import javax.swing.Timer;

/** A Swing window with a square that moves, about 60 frames per second. */
class swing_scene extends JPanel {
    private int frame;

    swing_scene() {
        setPreferredSize(new Dimension(320, 240));
        setBackground(Color.WHITE);
        new Timer(16, event -> {
            frame++;
            repaint();
        }).start();
    }

    @Override
    protected void paintComponent(Graphics graphics) {
        super.paintComponent(graphics);
        graphics.setColor(Color.RED);
        graphics.fillRect(4 * frame % 260, 60, 60, 60);
        graphics.setColor(Color.BLUE);
        graphics.drawString("frame " + frame, 20, 200);
    }

    public static void main(String[] words) {
        SwingUtilities.invokeLater(() -> {
            JFrame window = new JFrame("Swing scene");
            window.setContentPane(new swing_scene());
            window.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            window.pack();
            window.setVisible(true);
        });
    }
}
