"""What is asked: forms, lists, questions and dice to type, by one host that every screen has."""
